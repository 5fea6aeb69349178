const here = import.meta.url

/**
 * The path below which the server serves this page, with a slash at its end. The page's scripts lie in a folder right
 * below it, built or not, so that the same build works wherever it is mounted.
 */
export const base = new URL('..', here).pathname
