import { fileURLToPath } from 'node:url'
import type { Options } from 'tsup'

type Plugin = NonNullable<Options['esbuildPlugins']>[number]

const SOURCE = fileURLToPath(new URL('../../sdks/typescript/src', import.meta.url))

/** Bundles the SDK's own source, so that the server can be bundled before the SDK is built. */
export const sdkFromSource: Plugin = {
  name: 'sdk-from-source',
  setup(build) {
    build.onResolve({ filter: /^@support-chat\/sdk\/(?:webhooks|testing)$/ }, ({ path }) => ({
      path: `${SOURCE}/${path.split('/').at(-1)}/index.ts`,
    }))
  },
}
