import type { Platform } from '../../model/types.ts'

/** `Support Chat` → `support-chat`. */
export function product({ title }: Platform): string {
  return title.toLowerCase().trim().replace(/\s+/g, '-')
}

/** The command that starts the mock server on this machine. */
export function startMock(platform: Platform): string {
  const mock = platform.published ? platform.mockNpm : `--no ${product(platform)}-mock`
  return `npx ${mock} serve`
}

/** How to install the mock server. Its command is the name of no package, which a stranger could take. */
export function installMock({ published, mockNpm }: Platform): string {
  return `npm install --save-dev ${published ? mockNpm : `./${archive(mockNpm)}`}`
}

/** The archive of a package of npm in any version, for a shell. */
export function archive(npm: string): string {
  return `${npm.replace(/^@/, '').replace('/', '-')}-*.tgz`
}
