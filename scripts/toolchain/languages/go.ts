import { join } from 'node:path'
import { go } from '../../emit/go/language.ts'
import { anyOf, candidates, once, one, output } from '../find.ts'

const CURE = go.toolchain.cure

// From 1.21 on Go brings a newer release by itself where a module needs one.
const found = once(() => one('1.21', candidates(['go'], ['/usr/local/go/bin']), ['version'], CURE))

/** Absolute paths. */
export const programs = {
  get go() {
    return found().path
  },
  get gofmt() {
    const root = output(programs.go, ['env', 'GOROOT']) ?? ''
    return anyOf(candidates(['gofmt'], [join(root, 'bin')]), CURE)
  },
}

export function version(): string {
  return found().version
}

/** Go cannot be installed from here. */
export function provide(): void {
  programs.go
}
