import type { Scenario } from '../scenario.ts'

export const compaction: Scenario = {
  id: 'compaction',
  title: 'Shortening a long context',
  shows: 'shortening the context when it gets too long, in the open',
  example: 'compact the context',
  triggers: [
    'compact',
    'compaction',
    'compact the context',
    'context window',
    'summarize',
    'summarise',
    '压缩',
    '上下文',
  ],
  async *play(_input, context, say) {
    const compactionId = say.own('compaction')
    yield {
      type: 'context.compaction.started',
      partId: say.part(),
      compactionId,
      reason: 'The context is almost full.',
    }
    const history = await context.history(200)
    await say.pause(1200)
    const said = history.filter(message => message.role === 'user').length
    yield {
      type: 'context.compaction.completed',
      compactionId,
      tokensBefore: 118_000,
      tokensAfter: 9_400,
      summary: `${history.length} earlier messages, ${said} of them yours, were boiled down to the open points.`,
    }
    yield* say.text(
      'My context is short again: from 118,000 tokens to 9,400. *(Both numbers are made up: a script has no context window.)* Your conversation is **untouched**; only what an agent would send to its model gets shorter, and the line above marks where.',
    )
  },
}
