/** What to do where a language cannot give a name. */
export const RENAME = 'Rename one of them by x-sdk-name, in the document or by an --overlay'
export const RENAME_SCHEMA = 'Rename the schema by x-sdk-name, in the document or by an --overlay'
export const RENAME_METHOD =
  'Name resource and method otherwise by x-sdk-method, in the document or by an --overlay'
