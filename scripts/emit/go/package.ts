import type { Api, Platform } from '../../model/types.ts'
import { header, type OutFile } from '../core/file.ts'

/** The rest of a package for another contract: the runtime under its name, and files that build it. */
export function packageFiles(api: Api, runtime: readonly OutFile[]): OutFile[] {
  const withWebhooks = api.signature !== null && api.webhooks.length > 0
  return runtime
    .filter(({ path }) => withWebhooks || !/^webhooks?[._]/.test(path))
    .map((file) => ({ ...file, content: adapted(file, api.platform) }))
}

/**
 * A file of ours as it stands in another package. Code is generated there and says so; that is also
 * why linters do not ask for a use of what the contract at hand does not need.
 */
function adapted({ path, content }: OutFile, { goModule, goPackage }: Platform): string {
  if (path === 'go.mod') return content.replace(/^module .*$/m, `module ${goModule}`)
  if (!path.endsWith('.go')) return content
  const named = content.replace(/^package \w+$/m, `package ${goPackage}`)
  return `// ${header(`sdks/go/${path}`)}\n\n${named}`
}
