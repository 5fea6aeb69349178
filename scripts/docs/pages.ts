// The pages of the guides that need no server: each is an HTML block and the programs of its guide.
import type { Block, Document } from './documents.ts'
import { programsOf } from './programs.ts'

/** What a page shows, the button that is pressed, and what is there then: a text, or `#…` of the address. */
export interface LonePage {
  readonly name: string
  readonly files: ReadonlyMap<string, string>
  readonly draws: string
  readonly press: string
  readonly then: string
}

export const isAlone = ({ settings: { draws, press, then } }: Block): boolean => !!draws && !!press && !!then

/** The pages of these documents, with all files that their guide writes. */
export function lonePages(documents: readonly Document[]): LonePage[] {
  return documents.flatMap(({ path, blocks }) => {
    const programs = programsOf(blocks).map(
      ({ file, blocks }) => [file.split('/').at(-1)!, blocks.map(({ code }) => code).join('')] as const,
    )
    return blocks.filter(isAlone).map(({ line, code, settings: { draws = '', press = '', then = '' } }) => {
      const name = `${path}:${line}`
      return { name, files: new Map([...programs, ['index.html', code]]), draws, press, then }
    })
  })
}
