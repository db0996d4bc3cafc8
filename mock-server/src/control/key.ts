/** Whose sandbox is meant where a request names no key. */
export const DEFAULT_KEY = 'sk_test_demo'
