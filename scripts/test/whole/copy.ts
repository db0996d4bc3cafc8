import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { filesIn } from '../../rename/repository.ts'
import { ROOT } from '../../repository.ts'

/** What installing brought, which git ignores. */
const INSTALLED = [
  'node_modules',
  'mock-server/node_modules',
  'toolchains/node_modules',
  'toolchains/installed',
]

/** Variables of the run that this is, by which vitest, rake and turbo would act on it. */
const OURS = ['MODE', 'NODE_ENV', 'NODE_OPTIONS', 'TEST', 'TURBO_HASH', 'VITEST']

/** The end of a command, with all that it printed. */
export interface Ended {
  status: number | null
  output: string
}

/** A whole copy of this repository, committed, in which everything can be run. */
export class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), 'whole-'))

  constructor() {
    for (const path of filesIn(ROOT)) {
      if (!existsSync(join(ROOT, path))) continue
      mkdirSync(dirname(join(this.folder, path)), { recursive: true })
      copyFileSync(join(ROOT, path), join(this.folder, path))
    }
    for (const path of INSTALLED) {
      if (existsSync(join(ROOT, path))) share(join(ROOT, path), join(this.folder, path))
    }
    // npm writes to this one instead of replacing it.
    const lock = 'node_modules/.package-lock.json'
    rmSync(join(this.folder, lock), { force: true })
    if (existsSync(join(ROOT, lock))) copyFileSync(join(ROOT, lock), join(this.folder, lock))
    rmSync(join(this.folder, 'node_modules/.cache'), { recursive: true, force: true })
    this.git('init', '-q')
    this.commit()
  }

  /** Runs a program, as npm does in a folder of the copy. */
  run(command: string, args: readonly string[], folder = '.'): Ended {
    const environment = { ...process.env }
    for (const name of OURS) delete environment[name]
    const bin = join(this.folder, 'node_modules/.bin')
    const result = spawnSync(command, args, {
      cwd: join(this.folder, folder),
      encoding: 'utf8',
      env: { ...environment, PATH: `${bin}:${process.env.PATH}` },
      maxBuffer: 1 << 28,
    })
    if (result.error) throw result.error
    return { status: result.status, output: result.stdout + result.stderr }
  }

  git(...args: string[]): string {
    const person = ['-c', 'user.name=test', '-c', 'user.email=test@example.com']
    return execFileSync('git', [...person, ...args], { cwd: this.folder, encoding: 'utf8' })
  }

  commit(): void {
    this.git('add', '-A')
    this.git('commit', '-q', '-m', 'Copy')
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Links files where the file system can, because there are tens of thousands of them. */
function share(from: string, to: string): void {
  const { status } = spawnSync('cp', ['-al', from, to], { stdio: 'ignore' })
  if (status === 0) return
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
}
