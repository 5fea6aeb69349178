import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../lib/run.mjs'
import { readDocument } from './documents.ts'

it('P-9409 every picture beside a drawn screen has its line, and every line has its picture', () => {
  const path = 'docs/images/README.md'
  const { links } = readDocument(path, readFileSync(join(root, path), 'utf8'))
  const pictures = readdirSync(join(root, 'docs/images/beside')).map(name => `beside/${name}`)
  expect(links.map(({ text }) => text).sort()).toEqual(pictures.sort())
})
