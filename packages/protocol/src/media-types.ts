/** Of a UI Schema document that is too large for its event and stands in a blob. */
export const UI_SCHEMA_MEDIA_TYPE = 'application/vnd.vitrine.ui-schema+json'
