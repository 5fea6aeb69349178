import { expect, it } from 'vitest'
import { endsFence, fenceIn } from './fence.ts'
import { TextNotes } from './notes.ts'

it('P-8912 a block of code begins with its signs and ends with as many of them alone on a line', () => {
  expect(['```', '```js\n', '~~~ a`b', '   ````md'].map(fenceIn)).toEqual(['```', '```', '~~~', '````'])
  expect(['``', '``` a`b', '    ```', 'x ```'].map(fenceIn)).toEqual([undefined, undefined, undefined, undefined])
  expect(['```', '````\n', '  ```  '].every(line => endsFence(line, '```'))).toBe(true)
  expect(['```js', '~~~', '``'].some(line => endsFence(line, '```'))).toBe(false)
})

it('P-8912 a footnote behind a block of code that holds another fence has its number', () => {
  const notes = new TextNotes()
  notes.update('```md\n```js\na[^x]\n```\nbut[^real]\n\n[^real]: here\n', true)
  expect([...notes.numbers]).toEqual([['real', 1]])
  expect([...notes.texts]).toEqual(['real'])
})
