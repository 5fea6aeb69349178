import type { Scenario } from '../scenario.ts'

export const reasoning: Scenario = {
  id: 'reasoning',
  title: 'Thinking apart from the answer',
  shows: 'thinking kept apart from the answer, before it and between tools',
  example: 'think before you answer',
  triggers: ['think', 'reason', 'reasoning', 'puzzle', '思考', '推理', '想一想'],
  async *play(_input, _context, say) {
    yield* say.reasoning(
      `The classic: a bat and a ball cost 1.10 together, and the bat costs 1.00 more than the ball. The quick answer is 0.10. Let me check it: then the bat would be 1.10 and both together 1.20. Too much. Call the ball b. Then b + (b + 1.00) = 1.10, so 2b = 0.10 and b = 0.05.`,
      'Checked the quick answer of 0.10, found it wrong, solved it: 0.05.',
    )
    yield* say.tool(
      {
        name: 'calculator',
        title: 'Check the sum',
        summary: '0.05 + 1.05',
        args: { expression: '0.05 + (0.05 + 1.00)' },
      },
      { preview: '1.10', value: { result: 1.1 } },
    )
    yield* say.reasoning('The tool agrees: 0.05 + 1.05 = 1.10. I can answer now.', 'The sum is right.')
    yield* say.text(
      `**The ball costs 5 cents.** Most people think of 10 cents first.

My thinking is above, collapsed and quiet. It is never mixed into the answer: copy this message, export it or reload the page, and the reasoning stays apart. *(Scripted: I thought of this long ago.)*`,
    )
  },
}
