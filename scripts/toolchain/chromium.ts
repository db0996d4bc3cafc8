/** The browser that the mock server's pages are tested in. */
import { candidates, once, one } from './find.ts'
import { provideDebian } from './provide.ts'

const DEBIAN = ['chromium']
const CURE = `Install Chromium or Chrome 123 or newer, and have it on the PATH; on Debian: apt-get install ${DEBIAN.join(' ')}`

const found = once(() => {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  return one('123', candidates(names), ['--version'], CURE)
})

/** Absolute paths. */
export const programs = {
  get chromium() {
    return found().path
  },
}

export function provide(): void {
  provideDebian(DEBIAN, () => programs.chromium)
}
