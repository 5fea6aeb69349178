/**
 * The path under which a server is mounted, as requests and browsers write it: empty at the root, else `/vitrine` or
 * `/tools/vitrine`, without a slash at the end.
 */
export function basePathOf(given = ''): string {
  const path = given.replace(/\/+$/, '')
  if (path === '' || /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/.test(path)) return path
  throw new TypeError(
    `A base path begins with a slash and has only letters, digits and - . _ ~ in it, unlike ${given}.`,
  )
}

/** Whether the address is this path or something below it. */
export function isBelow(basePath: string, { pathname }: URL): boolean {
  return basePath === '' || pathname === basePath || pathname.startsWith(`${basePath}/`)
}
