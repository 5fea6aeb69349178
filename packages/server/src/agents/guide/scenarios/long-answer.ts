import type { Scenario } from '../scenario.ts'

const SECTIONS = [
  `## How an answer reaches your screen

I am a script, so this answer is written in advance. It travels exactly as a model's answer would, though, and that is
worth a look. Every piece you see arriving has already been **written to disk**: close the tab, pull the plug, come
back, and it is still here.

`,
  `### The path of one piece

1. The agent says something: a few letters, a tool call, a question.
2. The runtime checks that it is *allowed* at this point.
3. The log gives it a number and makes it durable.
4. Only then is it sent to every tab that follows the session.
   - A tab that was asleep asks for what it missed.
   - A tab that saw it twice ignores the second one.

> Nothing is shown before it is safe, and nothing is lost after it was shown.

`,
  `### What you can do while I talk

| You want to | Do this | What happens |
| --- | --- | --- |
| change my course | **Steer** | I read it at my next step and adjust |
| ask something else afterwards | **Queue** | it starts when I am done |
| stop me | press \`Esc\` twice | I stop, and what I said stays |
| do two things at once | **New task** | another session works in the background |

`,
  `### For those who write agents

An agent is one function that gives outputs one by one. This is a complete one:

\`\`\`ts
export const echo: Agent = {
  agentId: 'echo',
  name: 'Echo',
  description: 'Says it back',
  scripted: true,
  async *run(input) {
    yield { type: 'text.delta', partId: 'p1', delta: input.text }
    yield { type: 'text.final', partId: 'p1' }
  },
}
\`\`\`

It knows nothing of HTTP, storage or the screen. The runtime adds the rest.

`,
  `### Where to go from here

- [x] You have seen headings, lists, a table, a quote and code
- [ ] Say **run tools in parallel** to see work happen
- [ ] Say **show a booking form** to see me draw an interface
- [ ] Type \`/tour\` for all of it

The formatting is [CommonMark](https://commonmark.org) with [GitHub's tables](https://github.github.com/gfm/), and
long words such as \`Donaudampfschifffahrtsgesellschaftskapitän\` do not break the page. 中文也一样自然。`,
]

export const longAnswer: Scenario = {
  id: 'long-answer',
  title: 'Long answer with a table and code',
  shows: 'a long answer with headings, a table, code, lists and links',
  example: 'give me a long answer',
  triggers: ['long answer', 'long text', 'write an article', 'essay', 'explain', '长回答', '长文', '解释'],
  async *play(_input, _context, say) {
    const partId = say.part()
    for (const section of SECTIONS) {
      yield* say.open(section, partId)
      // A steer is waiting, and the end of a section is a good place to stop. The dispatcher takes the steer.
      if (await say.steered()) break
    }
    yield { type: 'text.final', partId }
  },
}
