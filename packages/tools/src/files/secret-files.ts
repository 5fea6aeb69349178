/** Names of files that usually hold keys or passwords. */
const SECRETS: readonly RegExp[] = [
  /^\.env(\..+)?$/,
  /^\.(netrc|pgpass|npmrc|pypirc|git-credentials|htpasswd|dockercfg|vault-token|my\.cnf)$/,
  /^_netrc$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|ovpn)$/,
  /^(credentials|secrets?|passwords?|service[-_]?account)(\.[\w-]+)*$/,
  /^(credentials|secrets?|passwords?|service[-_]?account)[-_.][\w.-]+\.(json|ya?ml|toml|ini|txt|csv)$/,
]
/** Folders whose files are all meant. */
const SECRET_FOLDERS = new Set(['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker'])
/** What is there to be copied and holds nothing. */
const EXAMPLES = /\.(example|sample|template|dist)$/

/** Whether a file usually holds secrets, by its path. Reading it needs an extra word of a person, and a search leaves it out. */
export function mayHoldSecrets(path: string): boolean {
  const parts = path.toLowerCase().split('/')
  const name = parts.at(-1) ?? ''
  if (parts.slice(0, -1).some(part => SECRET_FOLDERS.has(part))) return true
  return !EXAMPLES.test(name) && SECRETS.some(pattern => pattern.test(name))
}
