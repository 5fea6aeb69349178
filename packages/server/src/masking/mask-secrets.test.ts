import { readdirSync, readFileSync } from 'node:fs'
import type { Json } from '@vitrine/protocol'
import { MASK } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { DeclaredSecrets, hasMask, maskError, maskJson, maskLike, maskText, restored } from './mask-secrets.ts'
import { ArgsStream, SecretStream } from './mask-stream.ts'

const pem = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA75abc+/\n'.repeat(20)}-----END RSA PRIVATE KEY-----`

/** Keys that are recognised by their form alone. None of them was ever one. */
const keys = [
  'sk-proj-Ab3dEfGh1jKlMn0pQrStUvWxYz',
  'sk-ant-api03-AbC_dEf-9hIjKlMnOpQrStUvWxYz0123',
  'sk_live_4eC39HqLyjWDarjtT1zdp7dc',
  `ghp_${'a1B2'.repeat(9)}`,
  `github_pat_${'11ABC_def'.repeat(5)}`,
  `glpat-${'x1Y2_'.repeat(5)}`,
  'AKIAIOSFODNN7EXAMPLE',
  `AIza${'Sy0_-'.repeat(7)}`,
  'xoxb-123456789012-abcdefGHI',
  `hf_${'aB3dE'.repeat(7)}`,
  `npm_${'aB3d'.repeat(9)}`,
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4fwpMeJf36',
  pem,
]

/** A text with a secret in it, and the secret. */
const phrases: [text: string, secret: string][] = [
  ['Authorization: Bearer abc123def456', 'abc123def456'],
  ['Authorization: Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA=='],
  ['curl -H "authorization: token 9f8e7d6c5b4a"', '9f8e7d6c5b4a'],
  ['use Bearer abcdefghijklmnopqrstuvwxyz now', 'abcdefghijklmnopqrstuvwxyz'],
  ['mysql --password=hunter2 -u root', 'hunter2'],
  ['https://api.example/v1?api_key=abc123def&x=1', 'abc123def'],
  ['DB_PASSWORD=correcthorse\n', 'correcthorse'],
  ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG', 'wJalrXUtnFEMI/K7MDENG'],
  ['{"user":"ann","password":"hunter2"}', 'hunter2'],
  ["client_secret: 'q8w7e6r5'", 'q8w7e6r5'],
  ['password: hunter2\nuser: ann', 'hunter2'],
  ['postgres://ann:s3cr3t!@db.example:5432/x', 's3cr3t!'],
]

const harmless = [
  'password: string',
  'const password = input.value',
  'connect(password=password, user=user)',
  '<input type="password" name="password" autocomplete="current-password">',
  'Bearer authentication is needed',
  'Authorization: Bearer token',
  'Authorization: Bearer $' + '{token}',
  'max_tokens=100&page_token=abcdef',
  '.sk-cube-grid-animation-delay-long { color: red }',
  '550e8400-e29b-41d4-a716-446655440000',
  'd41d8cd98f00b204e9800998ecf8427e',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  '{"password": "Enter your password", "secret": "string"}',
  'password: z.string().min(8)',
  "if (pem.includes('-----BEGIN PRIVATE KEY-----')) throw new Error('no')",
  'http://localhost:3000/users/ann@example.com',
  'git@github.com:vitrine/vitrine.git',
  'secret: process.env.SECRET1,',
  'apiKey: config.apiKey2,',
  'The secret: 42 ways to cook',
]

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return state / 0x7fffffff
  }
}

/** The pieces of a text, of one to twelve characters each. */
function pieces(text: string, next: () => number): string[] {
  const all: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = at + 1 + Math.floor(next() * 12)
    all.push(text.slice(at, end))
    at = end
  }
  return all
}

const streamed = (stream: { push(piece: string): string; end(): string }, parts: readonly string[]): string =>
  parts.map(part => stream.push(part)).join('') + stream.end()

describe('TO-60 secrets of known forms', () => {
  it.each(keys)('TO-60 %s is masked wherever it stands', key => {
    for (const text of [key, `the key ${key} works`, `x="${key}"`, `(${key})`, `a\n${key}\nb`]) {
      expect(maskText(text)).toBe(text.replace(key, MASK))
    }
  })

  it.each(phrases)('TO-60 %s is masked', (text, secret) => {
    expect(maskText(text)).toBe(text.replace(secret, MASK))
  })

  it.each(harmless)('TO-61 %s is left alone', text => {
    expect(maskText(text)).toBe(text)
  })

  it('TO-61 the programs of this repository are left alone, and so are digests, UUIDs and images', () => {
    const folder = new URL('../', import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const sources = files.filter(
      file => file.endsWith('.ts') && !file.includes('masking') && !file.endsWith('.test.ts'),
    )
    expect(sources.length).toBeGreaterThan(100)
    for (const file of sources) {
      const text = readFileSync(new URL(file, folder), 'utf8')
      expect(maskText(text) === text, file).toBe(true)
    }
    const next = numbers(7)
    const random = (letters: string, length: number): string =>
      Array.from({ length }, () => letters[Math.floor(next() * letters.length)]).join('')
    const hex = '0123456789abcdef'
    const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    for (let round = 0; round < 500; round++) {
      const image = `data:image/png;base64,${random(base64, 2_000)}==`
      const uuid = [8, 4, 4, 4, 12].map(length => random(hex, length)).join('-')
      const text = `${random(hex, 64)} ${uuid} "integrity": "sha512-${random(base64, 86)}==" ${image}`
      expect(maskText(text)).toBe(text)
    }
  })

  it('TO-62 a secret that comes in pieces is masked like a whole one, and nothing of it is told before', () => {
    const next = numbers(3)
    for (const [text, secret] of [...phrases, ...keys.map((key): [string, string] => [`it is ${key} here`, key])]) {
      for (let round = 0; round < 40; round++) {
        const stream = new SecretStream()
        const told = streamed(stream, pieces(`Before. ${text}\nAfter it.`, next))
        expect(told).toBe(`Before. ${maskText(text)}\nAfter it.`)
        expect(told).not.toContain(secret)
      }
    }
  })

  it('TO-62 texts without secrets come out as they went in, whatever the pieces are', () => {
    const next = numbers(11)
    const text = `${harmless.join('\n')} ${'x'.repeat(40_000)} the end`
    for (let round = 0; round < 5; round++) {
      expect(streamed(new SecretStream(), pieces(text, next))).toBe(text)
    }
  })

  it('TO-62 arguments in pieces are masked by declared fields, by names and by forms, and stay JSON', () => {
    const next = numbers(5)
    const schema = {
      type: 'object',
      properties: { login: { type: 'object', properties: { code: { type: 'string', format: 'password' } } } },
    }
    const declared = new DeclaredSecrets(['/pin', '/cards/1', '/vault'], schema)
    const vault = { a: ['one', { b: 'two' }], c: 3 }
    const quoted = 'curl -H "Authorization: Bearer abc123def456" -d \'{"password":"hunter2"}\''
    for (const key of keys) {
      const args = {
        text: `the key ${key} is`,
        list: [1, `\n${key}`, true, null],
        password: 'hunter2',
        note: 'Enter "your" password \\ é \u{1f511}',
        quoted,
        pin: 1234,
        cards: ['4000', '4001'],
        login: { code: 'abc', name: 'ann' },
        vault,
      }
      const text = JSON.stringify(args)
      const whole = maskJson(args as Json, declared)
      expect(whole).toMatchObject({ pin: MASK, vault: MASK, cards: ['4000', MASK], login: { code: MASK, name: 'ann' } })
      for (let round = 0; round < 30; round++) {
        const told = streamed(new ArgsStream(declared), pieces(text, next))
        expect(JSON.parse(told)).toEqual(whole)
      }
    }
  })

  it('TO-62 arguments without secrets come out as they were written', () => {
    const next = numbers(13)
    const text = JSON.stringify({ path: 'a.ts', content: harmless.join('\n'), n: [1.5, -2e9], o: {}, e: '' }, null, 2)
    for (let round = 0; round < 50; round++) {
      expect(streamed(new ArgsStream(new DeclaredSecrets()), pieces(text, next))).toBe(text)
    }
    for (const broken of ['{"a": tru', 'no JSON at all', '{"a":"b', '"\\u00', '{"a":"\\']) {
      expect(streamed(new ArgsStream(new DeclaredSecrets()), pieces(broken, next))).toBe(broken)
    }
  })

  it('TO-63 takes time that grows with the text and no faster', () => {
    const bombs = [
      'sk-',
      'password=',
      'eyJ',
      'eyJaaaaaaaaa.',
      '://a:',
      'bearer ',
      '-----BEGIN PRIVATE KEY-----\nAAAAAAAAAA',
      '"password":"',
      'authorization: bearer ',
      '\\',
      'a',
    ]
    const took = (text: string): number => {
      const before = process.cpuUsage()
      maskText(text)
      const stream = new SecretStream(true)
      for (let at = 0; at < text.length; at += 1_000) stream.push(text.slice(at, at + 1_000))
      stream.end()
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const small = bombs.map(bomb => bomb.repeat(Math.ceil(50_000 / bomb.length)))
    for (const text of small) took(text)
    // Eight times the text may take thirty times as long, because other things go on: a square would be 64 times.
    for (const text of small) {
      const base = Math.max(took(text), took(text), 2_000)
      expect(took(text.repeat(8)), text.slice(0, 20)).toBeLessThan(base * 30)
    }
  })
})

describe('TO-64 what a person edits', () => {
  it('TO-64 keeps the real thing where the mask still stands', () => {
    const real = { url: 'https://ann:s3cr3t@x.example/', password: 'hunter2', n: 1 }
    const shown = maskJson(real)
    expect(shown).toEqual({ url: `https://ann:${MASK}@x.example/`, password: MASK, n: 1 })
    expect(restored({ ...shown, n: 2 }, shown, real)).toEqual({ ...real, n: 2 })
    const edited = restored({ ...shown, url: `https://bob:${MASK}@x.example/` }, shown, real)
    expect(hasMask(edited)).toBe(true)
    expect(maskLike({ password: 'another1' }, shown)).toEqual({ password: MASK })
  })

  it('TO-64 an error for the log of the server is masked with its stack and its cause', () => {
    const error = new Error(`401 for ${keys[0]}`, { cause: new Error(`key ${keys[3]}`) })
    const masked = maskError(error) as Error
    expect(`${masked.message} ${masked.stack} ${(masked.cause as Error).message}`).not.toMatch(/sk-proj|ghp_/)
    const plain = new Error('no secret')
    expect(maskError(plain)).toBe(plain)
  })
})
