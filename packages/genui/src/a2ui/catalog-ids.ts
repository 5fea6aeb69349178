/** The id of the basic catalog, as a2ui.md writes it. */
export const BASIC_CATALOG_ID = 'https://a2ui.org/specification/v0_9/basic_catalog.json'

/** The ids that the two documents, and the public versions, use for the same catalog. */
export const BASIC_CATALOG_IDS: readonly string[] = [
  BASIC_CATALOG_ID,
  'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json',
  'https://a2ui.org/specification/v0_9_1/catalogs/basic/catalog.json',
]
