import { load } from '../scripts/toolchain/packages.ts'

export const { Miniflare } = load<typeof import('miniflare')>('miniflare')
