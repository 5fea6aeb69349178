import { MASK } from '@vitrine/protocol'
import { describe, expect, it } from 'vitest'
import { maskSecrets } from './mask-secrets.ts'

describe('AU-33 secrets in what a tool was given or gave', () => {
  it.each([
    ['a field of JSON', '{\n  "user": "ann",\n  "password": "hunter2"\n}', 'hunter2'],
    ['a field with quotes and escapes in its value', '{"apiKey":"a\\\\b\\nc-canary"}', 'canary'],
    ['a field with a quote in its value', '{"token":"a\\"canary","x":"y"}', 'canary'],
    ['JSON inside a text of JSON', '{"body":"{\\"client_secret\\":\\"canary\\"}"}', 'canary'],
    ['an environment', 'HOME=/root\nGITHUB_TOKEN=canary-1234\nPORT=1', 'canary-1234'],
    ['a setting', 'user: ann\n  db_password: canary-1234\n', 'canary-1234'],
    ['a header', 'GET / HTTP/1.1\nAuthorization: Bearer canary.1234', 'canary.1234'],
    ['a header in JSON', '{"headers":{"Authorization":"Bearer canary.1234"}}', 'canary.1234'],
    ['an address', 'https://example.com/?access_token=canary1234&page=2', 'canary1234'],
    ['a key that is known by its shape', 'It answered with sk-abcdefghijklmnop1234.', 'abcdefghijklmnop'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIICanary\n-----END RSA PRIVATE KEY-----', 'MIICanary'],
  ])('masks %s', (_, text, secret) => {
    expect(text).toContain(secret)
    expect(maskSecrets(text)).not.toContain(secret)
    expect(maskSecrets(text)).toContain(MASK)
  })

  it.each([
    '{"user":"ann","path":"/tmp/a","tokens":1200,"total_tokens":7,"password":""}',
    'The password is not needed. Take the passenger list.',
    'const token = await getToken(password)\n  password: string\nmax_tokens=4096',
    'skip-this-and-that, task-abcdefghijklmnopqrst',
    '',
  ])('leaves everything else as it is: %s', text => {
    expect(maskSecrets(text)).toBe(text)
  })

  it('takes time that grows with the length of the text', () => {
    // Each of these would take hours with an expression that backtracks.
    for (const piece of [
      '"a":"',
      '\\"',
      'token',
      '-----BEGIN PRIVATE KEY-----',
      'eyJ.',
      'a.',
      '"token":',
      'token=',
      'token:\n',
      ' ',
    ])
      expect(maskSecrets(piece.repeat(200_000 / piece.length)).length).toBeGreaterThan(0)
  })
})
