import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { build, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readDocuments } from './docs/documents.ts'
import { lonePages } from './docs/pages.ts'
import { problemsWith, programsOf, stranger, writePrograms } from './docs/programs.ts'
import { findChromium } from './lib/chromium.mjs'
import { npm } from './lib/npm.mjs'
import { run } from './lib/run.mjs'

const root = resolve(import.meta.dirname, '..')
const modules = join(root, 'node_modules')
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

const published = readdirSync(join(root, 'packages'))
  .map(name => join(root, 'packages', name))
  .filter(folder => existsSync(join(folder, 'package.json')) && manifestOf(folder).private !== true)

async function succeed(command: Promise<{ code: number; output: string }>) {
  const { code, output } = await command
  if (code !== 0) throw new Error(output)
  return output
}

/** Gives the installed folders of these packages and of all their dependencies. */
function withDependencies(names: string[]): string[] {
  const folders = new Map<string, string>()
  const visit = (name: string, optional: boolean) => {
    const folder = join(modules, name)
    if (folders.has(name) || (optional && !existsSync(folder))) return
    folders.set(name, folder)
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifestOf(folder)
    for (const needed of Object.keys(dependencies)) visit(needed, false)
    for (const needed of Object.keys(peerDependencies)) visit(needed, peerDependenciesMeta[needed]?.optional === true)
  }
  for (const name of names) visit(name, false)
  return [...folders.values()]
}

beforeAll(async () => {
  await succeed(run(process.execPath, [join(modules, 'typescript/bin/tsc'), '-b', ...published]))
}, 120_000)

describe('R-13 publint', () => {
  it.each(published.map(folder => [manifestOf(folder).name, folder]))(
    'finds nothing in %s',
    async (_, folder) => {
      const { messages } = await publint({ pkgDir: folder, pack: 'npm', level: 'suggestion', strict: true })
      expect(messages.map(message => formatMessage(message, manifestOf(folder)))).toEqual([])
    },
    60_000,
  )
})

describe('R-36 every tarball explains itself', () => {
  it('R-36 it holds the README and the license of its package', async () => {
    const pack = ['pack', ...published, '--dry-run', '--json', '--ignore-scripts', '--silent']
    const packed: { name: string; files: { path: string }[] }[] = JSON.parse(await succeed(npm(process.execPath, pack)))
    expect(packed.map(({ name }) => name)).toEqual(published.map(folder => manifestOf(folder).name))
    for (const { files } of packed) {
      expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['LICENSE', 'README.md']))
    }
  }, 60_000)
})

describe('R-14 packages installed from their tarballs', () => {
  const names = published.map(folder => manifestOf(folder).name)
  /** What a page needs beside our packages; the guide says so. */
  const beside = ['react', 'react-dom', '@types/react', '@types/react-dom', '@types/node']
  let consumer = ''

  beforeAll(async () => {
    consumer = mkdtempSync(join(tmpdir(), 'vitrine-consumer-'))
    await cp(join(import.meta.dirname, 'consumer'), consumer, { recursive: true })
    // Packages of others are packed from node_modules too, so that
    // the installation below needs no network and no npm cache.
    const pack = ['pack', ...withDependencies([...names, ...beside]), '--ignore-scripts', '--silent']
    await succeed(npm(process.execPath, pack, { cwd: consumer }))
    const tarballs = readdirSync(consumer).filter(name => name.endsWith('.tgz'))
    const install = ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
    await succeed(npm(process.execPath, [...install, ...tarballs.map(name => `./${name}`)], { cwd: consumer }))
  }, 180_000)
  afterAll(() => rmSync(consumer, { recursive: true, force: true }))

  it('hold no tests and no sources, but every file they export', () => {
    for (const name of names) {
      const folder = join(consumer, 'node_modules', name)
      const files = readdirSync(folder, { recursive: true }).map(String)
      // A map without its source leads an editor nowhere.
      expect(files.filter(file => /\.(test|contract|fixture)\.|\.(tsbuildinfo|map)$/.test(file))).toEqual([])
      for (const entry of Object.values<Record<string, string>>(manifestOf(folder).exports ?? {})) {
        expect(files).toContain(entry.types?.slice(2))
        expect(files).toContain(entry.default?.slice(2))
      }
    }
  })

  it('R-36 have READMEs whose links lead to what is in the tarball', () => {
    for (const name of names) {
      const folder = join(consumer, 'node_modules', name)
      const text = readFileSync(join(folder, 'README.md'), 'utf8')
      const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => link)
      const broken = links.filter(link => !/^https?:/.test(link) && !existsSync(join(folder, link)))
      expect([name, broken]).toEqual([name, []])
    }
  })

  it('are used by a program in JavaScript', async () => {
    const output = await succeed(
      run(process.execPath, ['--disable-warning=ExperimentalWarning', 'use.mjs'], { cwd: consumer }),
    )
    expect(output.trim()).toBe('ok')
  }, 60_000)

  it('R-41 the command starts with its workbench', async () => {
    const command = spawn(process.execPath, ['node_modules/.bin/vitrine', 'start', '--port', '0', '--data', 'data'], {
      cwd: consumer,
    })
    onTestFinished(() => void command.kill())
    const url = await new Promise<string>((resolve, reject) => {
      let said = ''
      for (const stream of [command.stdout, command.stderr]) {
        stream.on('data', chunk => {
          said += chunk
          const found = /http:\S+token=\S+/.exec(said)
          if (found) resolve(found[0])
        })
      }
      command.on('exit', () => reject(new Error(said)))
    })
    const signIn = await fetch(url, { redirect: 'manual' })
    const cookie = signIn.headers.get('set-cookie')!.split(';', 1)[0]!
    const page = await fetch(new URL('/', url), { headers: { cookie, accept: 'text/html' } })
    const html = await page.text()
    expect([page.status, html]).toEqual([200, expect.stringContaining('<div id="root">')])
    const script = /src="([^"]+\.js)"/.exec(html)![1]!
    expect((await fetch(new URL(script, new URL('/', url)), { headers: { cookie } })).status).toBe(200)
  }, 60_000)

  it('give a program in TypeScript their types', async () => {
    await succeed(run(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', '.'], { cwd: consumer }))
  }, 60_000)

  it('R-31 give the programs of the documents their types, with the settings of a new project', async () => {
    const blocks = readDocuments().flatMap(document => document.blocks)
    const checked = blocks.filter(({ settings }) => settings.unchecked === undefined)
    // Vite itself is not installed here.
    const programs = programsOf(checked).filter(
      ({ blocks }) => !blocks.some(({ code }) => code.includes("from 'vite'")),
    )
    const folder = join(consumer, 'documents')
    writePrograms(folder, programs)
    const config = join(folder, 'tsconfig.json')
    writeFileSync(config, JSON.stringify(stranger))
    expect(programs.some(({ blocks }) => blocks.some(({ code }) => code.includes('styles.css')))).toBe(true)
    expect(await problemsWith(config, programs)).toEqual([])
  }, 60_000)

  it.each(lonePages(readDocuments()))(
    'A2-316 UH-231 the page at $name draws what its guide says, and does what its button says',
    async ({ name, files, draws, press, then }) => {
      const folder = join(consumer, name.replaceAll(/\W+/g, '-'))
      mkdirSync(folder)
      for (const [file, code] of files) writeFileSync(join(folder, file), code)
      await build({ root: folder, configFile: false, logLevel: 'error' })
      const server = await preview({ root: folder, configFile: false, logLevel: 'error', preview: { port: 0 } })
      onTestFinished(() => server.close())
      const [, executablePath] = await findChromium(() => {})
      const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox'] })
      onTestFinished(() => browser.close())
      const page = await browser.newPage()
      const errors: string[] = []
      page.on('pageerror', error => errors.push(error.message))
      await page.goto(server.resolvedUrls!.local[0]!)
      await page.getByText(draws, { exact: true }).waitFor()
      await page.getByRole('button', { name: press, exact: true }).click()
      if (then.startsWith('#')) await page.waitForURL(({ hash }) => hash === then)
      else await page.getByText(then, { exact: true }).waitFor()
      expect(errors).toEqual([])
    },
    180_000,
  )

  it('A2-316 UH-231 the guides to A2UI and to UI Schema have a page with React and one without', () => {
    const pages = lonePages(readDocuments()).map(({ name, files }) => {
      const program = /src="\.\/([^"]+)"/.exec(files.get('index.html')!)![1]!
      return [name.replace(/:\d+$/, ''), files.get(program)!.includes("'react-dom/client'")]
    })
    expect(pages).toEqual([
      ['docs/guides/a2ui.md', true],
      ['docs/guides/a2ui.md', false],
      ['docs/guides/ui-schema.md', true],
      ['docs/guides/ui-schema.md', false],
    ])
  })

  it('R-43 the command says which Node it needs when it is started with an older one', async () => {
    const { code, output } = await run(process.execPath, [
      '--import',
      "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.20.2'})",
      join(consumer, 'node_modules/vitrine/bin/vitrine.mjs'),
      'start',
    ])
    expect([code, output.trim()]).toEqual([
      1,
      'Vitrine needs Node 24 or newer; this is Node 20.20.2. See https://nodejs.org.',
    ])
  })

  it('R-43 each says in its package.json which Node it needs', () => {
    for (const folder of published) {
      expect([folder, manifestOf(folder).engines]).toEqual([folder, { node: '>=24' }])
    }
  })
})
