/**
 * Every code that a diagnostic or a refused envelope can have. Each means one thing, in A2UI, UI Schema and UiHints alike;
 * the guides say what it means, and a test checks that they do.
 */
export const UI_CODES = [
  // The whole document or envelope.
  'version_mismatch',
  'invalid_envelope',
  'not_json',
  'not_applied',
  'not_stored',
  'disabled',
  'patch_failed',
  'root_wrapped',
  // A value is not what its place wants.
  'validation_failed',
  'wrong_type',
  'wrong_choice',
  'out_of_range',
  'missing',
  'unknown_field',
  'unknown_type',
  'not_well_formed',
  'forbidden_key',
  'invalid_color',
  'invalid_locale',
  'invalid_pattern',
  'invalid_path',
  'row_too_wide',
  'options_missing',
  // Another form was understood, or a default was taken.
  'alias',
  'coerced',
  'null_ignored',
  'default_taken',
  'target_ignored',
  // Ids and references.
  'duplicate_id',
  'circular_reference',
  'unknown_catalog',
  'unknown_component',
  'unknown_surface',
  'missing_root',
  'missing_child',
  'unreachable_component',
  // Limits.
  'too_deep',
  'too_large',
  'too_many_components',
  'too_many_drawn',
  'too_many_surfaces',
  'string_too_long',
  'state_too_large',
  'theme_too_large',
  'id_too_long',
  'path_too_long',
  // What a surface computes.
  'unknown_function',
  'function_failed',
  'expression_too_costly',
  'pattern_refused',
  'pattern_timeout',
  // Where an action may lead.
  'action_missing',
  'params_scalar',
  'path_empty',
  'path_character',
  'path_backslash',
  'path_scheme',
  'path_relative',
  'path_double_slash',
  'path_query',
  'path_fragment',
  'path_param',
  'path_encoding',
  'path_dots',
  'path_separator',
  // Which addresses may be opened or loaded.
  'url_character',
  'url_relative',
  'url_scheme',
  'url_host',
  'url_backslash',
  'url_userinfo',
  'url_data',
] as const

/** A code of a diagnostic or of a refused envelope. */
export type UiCode = (typeof UI_CODES)[number]
