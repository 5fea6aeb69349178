/** The versions of the protocol that are read. */
const VERSIONS = ['v0.9', 'v0.9.1']

export const isVersion = (value: unknown): boolean => VERSIONS.includes(value as string)
