import { load } from '../scripts/toolchain/packages.ts'

export type { Browser, BrowserContextOptions, Page } from 'playwright-core'
export const { chromium } = load<typeof import('playwright-core')>('playwright-core')
