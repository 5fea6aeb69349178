const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** The address of a provider in one form, or why it is none. */
export function readAddress(given: string): { address: string } | { wrong: string } {
  const text = given.trim()
  // People paste `localhost:11434` from the output of a server.
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
  if (!url || url.hostname === '') return { wrong: 'This is no address. It looks like http://127.0.0.1:11434/v1.' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { wrong: 'The address has to begin with http:// or https://.' }
  }
  if (url.username !== '' || url.password !== '') {
    return { wrong: 'The address has a name or a password in it, which everybody would see. Enter a key instead.' }
  }
  if (url.search !== '' || url.hash !== '') {
    return { wrong: 'The address has to end with its path, without ? and #. A key belongs into its own field.' }
  }
  return { address: url.href.replace(/\/+$/, '') }
}

/** Whether what is at this address runs on the machine of the server. */
export const isOnThisMachine = (address: string | undefined): boolean => {
  const url = address === undefined ? null : URL.parse(address)
  return url !== null && LOOPBACK.test(url.hostname)
}
