import { LANGUAGES } from '../languages.ts'
import { packer as mockServer } from './mock-server.ts'
import type { Packer } from './packer.ts'

/** One of the packages that integrators install. */
export interface Target extends Packer {
  name: string
  title: string
}

/** The mock server, and the SDK of each language. */
export const TARGETS: readonly Target[] = [
  { name: 'mock-server', title: 'Mock server', ...mockServer },
  ...(await Promise.all(
    LANGUAGES.map(async ({ name, title }) => {
      const { packer }: { packer: Packer } = await import(`./languages/${name}.ts`)
      return { name, title, ...packer }
    }),
  )),
]
