/** The fixes for names that a language cannot use. */
export const RENAME = 'Rename one of them with x-sdk-name, in the document or in an --overlay'
export const RENAME_SCHEMA = 'Rename the schema with x-sdk-name, in the document or in an --overlay'
export const RENAME_METHOD =
  'Choose another name with x-sdk-method, in the document or in an --overlay'
