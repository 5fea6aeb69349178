import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKit, type Kit } from '../http/app.test.kit.ts'
import { createSandboxes } from './sandboxes.ts'

let kit: Kit
let staticFolder: string
beforeAll(async () => {
  staticFolder = await mkdtemp(join(tmpdir(), 'vitrine-sandbox-'))
  await mkdir(join(staticFolder, 'sandbox/assets'), { recursive: true })
  await writeFile(join(staticFolder, 'index.html'), '<title>Workbench</title>')
  await writeFile(join(staticFolder, 'sandbox/mermaid.html'), '<title>Diagram</title>')
  await writeFile(join(staticFolder, 'sandbox/other.html'), '<title>Other</title>')
  await writeFile(join(staticFolder, 'sandbox/assets/a-12345678.js'), 'export {}')
  await writeFile(join(staticFolder, 'sandbox/notes.txt'), 'x')
  kit = await createKit({ staticFolder })
})
afterAll(async () => {
  await kit.close()
  await rm(staticFolder, { recursive: true })
})

const address = async () => ((await (await kit.as('ann', 'GET', '/sandboxes/mermaid')).json()) as { url: string }).url

describe('P-9010 the addresses of sandboxes', () => {
  it('P-9010 S15 a sandbox is read without a cookie, has no origin and no rights, also as a page of its own', async () => {
    const response = await kit.app.request(await address())
    expect([response.status, await response.text()]).toEqual([200, '<title>Diagram</title>'])
    const policy = response.headers.get('content-security-policy')!.split('; ')
    expect(policy).toContain('sandbox allow-scripts')
    for (const rule of ["default-src 'none'", "connect-src 'none'", "frame-src 'none'", "form-action 'none'"]) {
      expect(policy).toContain(rule)
    }
    expect(policy.join()).not.toMatch(/unsafe-|allow-same-origin|\*/)
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('P-9010 its scripts may be loaded by a document without an origin; others of ours may not', async () => {
    const script = new URL('./assets/a-12345678.js', `http://x${await address()}`).pathname
    const { headers } = await kit.app.request(script)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect((await kit.app.request('/')).headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })

  it('P-9010 a path that was changed, made up or is over leads nowhere', async () => {
    const good = await address()
    const [, , signed = ''] = good.split('/')
    const [name, expires, signature] = signed.split('.')
    const bad = [
      `/sandbox/${name}.${Number(expires) + 1}.${signature}/mermaid.html`,
      `/sandbox/other.${expires}.${signature}/other.html`,
      `/sandbox/${name}.${expires}.${'A'.repeat(43)}/mermaid.html`,
      `/sandbox/${name}.${expires}./mermaid.html`,
      '/sandbox/mermaid.html',
      '/sandbox/x/mermaid.html',
      good.replace('mermaid.html', 'other.html'),
      good.replace('mermaid.html', 'notes.txt'),
      good.replace('mermaid.html', ''),
      good.replace('mermaid.html', '..%2findex.html'),
      good.replace('mermaid.html', 'assets/..%2f..%2findex.html'),
      good.replace('mermaid.html', 'assets/a-12345678.js.map'),
    ]
    for (const path of bad) expect([path, (await kit.app.request(path)).status]).toEqual([path, 404])

    const parts = { storage: kit.parts.storage, staticFolder, basePath: '' }
    const later = createSandboxes({ ...parts, now: () => Date.now() + 61 * 60_000 })
    expect((await later.answer(new Request(`http://x${good}`))).status).toBe(404)
    expect((await createSandboxes(parts).answer(new Request(`http://x${good}`))).status).toBe(200)
  })

  it('P-9010 what another secret signed counts no more', async () => {
    const good = await address()
    const storage = { instance: async () => ({ id: 'i', secret: 'another' }) }
    const others = createSandboxes({ storage, staticFolder, basePath: '' })
    expect((await others.answer(new Request(`http://x${good}`))).status).toBe(404)
  })

  it('P-9010 only somebody who is signed in gets an address, and only of what is there', async () => {
    expect((await kit.app.request('/api/sandboxes/mermaid')).status).toBe(401)
    for (const name of ['nothing', 'index', '..%2findex', 'Mermaid']) {
      expect((await kit.as('ann', 'GET', `/sandboxes/${name}`)).status).toBe(404)
    }
    const bare = createSandboxes({ storage: kit.parts.storage, staticFolder: undefined, basePath: '' })
    expect(await bare.open('mermaid')).toBeUndefined()
  })

  it('S07 S08 the server refuses a request without an origin, whatever cookie comes along', async () => {
    const authorization = `Bearer ${kit.token}`
    for (const headers of [{ origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
      const post = {
        method: 'POST',
        body: '{}',
        headers: { authorization, 'content-type': 'application/json', ...headers },
      }
      expect((await kit.app.request('/api/sessions', post)).status).toBe(403)
      expect((await kit.app.request('/api/agents', { headers: { authorization, ...headers } })).status).toBe(403)
    }
  })

  it('S09 S10 the page may frame nothing but sandboxes, and nobody may frame the page', async () => {
    const policyAt = async (host: string) =>
      (await kit.app.request('/', { headers: { host } })).headers.get('content-security-policy')!.split('; ')
    expect(await policyAt('127.0.0.1:4700')).toContain('frame-src 127.0.0.1:4700/sandbox/')
    expect(await policyAt('127.0.0.1:4700')).toContain("frame-ancestors 'none'")
    // A policy has no words for these hosts, and nothing of a request may become a word of the policy.
    for (const host of ['[::1]:4700', 'a;script-src *', 'a b', "'unsafe-inline'"]) {
      expect(await policyAt(host)).toContain("frame-src 'self'")
    }
  })
})
