import { describe, expect, it } from 'vitest'
import { isGreeting, isProvisional, titleOf } from './session-title.ts'

describe('P-9220 the title of a session', () => {
  it.each([
    ['plan the release of version 2', 'Plan the release of version 2'],
    ['Hi! Could you please help me to plan a trip to Norway?', 'Plan a trip to Norway?'],
    ['hello there, can you explain how TLS works. I am new to it.', 'Explain how TLS works'],
    ['Good morning team,\n\nplease review the budget', 'Review the budget'],
    ['## Fix the **login** bug in `auth.ts`', 'Fix the login bug in auth.ts'],
    ['```js\nconst a = 1\n```\nWhy is `a` not exported?', 'Why is a not exported?'],
    [
      'See [the notes](https://example.com/a/b) about https://www.example.org/very/long',
      'See the notes about example.org',
    ],
    ['WHY IS THE SERVER DOWN AGAIN', 'Why is the server down again'],
    ['iPhone sales by region', 'iPhone sales by region'],
    ['utf-8 or utf-16', 'utf-8 or utf-16'],
    ['- first item\n- second item', 'First item'],
    ['approval', 'Approval'],
    ['你好，请帮我创建一个会议，时间是明天下午三点', '创建一个会议，时间是明天下午三点'],
    ['请问如何部署到生产环境？我没有权限。', '如何部署到生产环境？'],
    ['   ', 'New session'],
    ['', 'New session'],
  ])('of %j', (asked, title) => expect(titleOf(asked)).toBe(title))

  it('is cut at a clause, or else at a word, and never in the middle of a character', () => {
    expect(titleOf('Compare the three offers for the new office, and tell me which of them has the best price')).toBe(
      'Compare the three offers for the new office',
    )
    const long = titleOf('Write a very long and winding description without any comma whatsoever in between')
    expect(long).toBe('Write a very long and winding description without any…')
    expect(titleOf('一'.repeat(80))).toBe(`${'一'.repeat(29)}…`)
    expect(titleOf('😀'.repeat(90)).isWellFormed()).toBe(true)
    expect(titleOf('x'.repeat(500))).toHaveLength(60)
  })

  it('comes from the answer when the question says too little', () => {
    const answer = 'Sure! Here is what you need.\n\n# Moving a database to another host\n\nFirst…'
    for (const asked of ['ok', 'explain this', 'Fix this:\n```js\nx\n```', '谢谢', 'help', 'what is this?']) {
      expect([asked, titleOf(asked, answer)]).toEqual([asked, 'Moving a database to another host'])
    }
    expect(titleOf('help', 'Of course. The walrus lives in the north.')).toBe('The walrus lives in the north')
    expect(titleOf('help')).toBe('Help')
    expect(titleOf('Plan the release', answer)).toBe('Plan the release')
  })

  it('is a greeting as it was said, when that is all that was said', () => {
    const answer = 'Hello! I am the scripted guide of this workbench, and I understand fixed requests.'
    for (const [asked, title] of [
      ['hello', 'Hello'],
      ['hi!', 'Hi'],
      ['hello there friend', 'Hello there friend'],
      ['Good morning, Anna.', 'Good morning, Anna'],
      ['你好', '你好'],
    ] as const) {
      expect(titleOf(asked, answer)).toBe(title)
      expect([asked, isGreeting(asked), isGreeting(title)]).toEqual([asked, true, true])
    }
    for (const asked of ['hi, plan a trip', 'plan', '你好，创建会议', '', 'history'])
      expect(isGreeting(asked)).toBe(false)
  })

  it('P-9604 of signs alone are these signs, and like a greeting it gives way to the first turn that says more', () => {
    expect(titleOf('👋', 'Hello! I am the guide.')).toBe('👋')
    expect(titleOf(' ??? ')).toBe('???')
    for (const title of ['👋', '???', 'Hi', '你好', 'New session'])
      expect([title, isProvisional(title)]).toEqual([title, true])
    for (const title of ['Plan the release', '2026', '创建会议'])
      expect([title, isProvisional(title)]).toEqual([title, false])
    expect(titleOf('```\nconst a = 1\n```', 'A constant is declared.')).toBe('A constant is declared')
  })

  it('P-9240 P-9262 of a command is what the agent says of it, or its name in words', () => {
    const commands = [
      { name: 'approval', description: 'Asks before it deletes: once, for the scope, with edited arguments' },
      { name: 'dry-run' },
    ]
    expect(titleOf('/approval', 'Done.', commands)).toBe('Asks before it deletes')
    expect(titleOf(' /dry-run ', '', commands)).toBe('Dry run')
    expect(titleOf('/unknown_one')).toBe('Unknown one')
    expect(titleOf('/etc/hosts is empty', '', commands)).toBe('/etc/hosts is empty')
  })

  it('of any text is made in no time', () => {
    const texts = [
      '('.repeat(50_000),
      '`'.repeat(50_000),
      `hi ${'please '.repeat(20_000)}`,
      '<'.repeat(50_000),
      '['.repeat(50_000),
    ]
    const before = process.threadCpuUsage()
    for (const text of texts) titleOf(text, text)
    expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000)
  })
})
