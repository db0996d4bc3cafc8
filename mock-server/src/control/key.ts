/** The key of the sandbox for requests without a key. */
export const DEFAULT_KEY = 'sk_test_demo'
