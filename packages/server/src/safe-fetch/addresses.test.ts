import { describe, expect, it } from 'vitest'
import { isPublicAddress } from './addresses.ts'

describe('H03 which addresses are those of the internet', () => {
  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '5f00::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%lo',
    'fec0::1',
    'ff02::1',
    '',
    'localhost',
    '1.2.3',
  ])('H03 %s is not', address => expect(isPublicAddress(address)).toBe(false))

  it.each(['1.1.1.1', '8.8.8.8', '172.15.0.1', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450::1'])(
    'H03 %s is',
    address => expect(isPublicAddress(address)).toBe(true),
  )
})
