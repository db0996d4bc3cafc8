import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { generatedFiles, MANIFEST } from '../emit/core/manifest.ts'
import type { Platform } from '../model/types.ts'
import { formatProblem, type Problem } from '../yaml/index.ts'
import { NAMES, readNames } from './names.ts'
import { changesIn, filesIn } from './repository.ts'
import { Rewriter, type Rewritten } from './rewrite.ts'
import { type Spelling, spellingsOf } from './spellings.ts'
import { tidy } from './tidy.ts'

/** What a run has to say, and its exit code. */
export interface Outcome {
  exit: 0 | 1
  /** Lines for stdout. */
  said: string[]
  /** Lines for stderr. */
  messages: string[]
}

const MAX_SHOWN = 20

/** Changelogs say what was, and `names.yaml` says already what shall be. */
const KEPT = /(?:^|\/)CHANGELOG\.md$|^sdks\/names\.yaml$/

interface Planned extends Rewritten {
  /** Whether its content stays as it is, which `content` then does not hold. */
  isKept: boolean
}

/** Gives a repository the names that its `names.yaml` has now. Nothing is written where it cannot be whole. */
export async function rename(root: string, { dryRun }: { dryRun: boolean }): Promise<Outcome> {
  const { from, to, problems } = await readNames(root)
  if (problems.length > 0 || !to) return refused(problems.map(formatProblem))
  if (!from) {
    const cure = 'Restore `.generated.json` from the history of the repository.'
    return refused([`${NAMES}: the names that the repository had are recorded nowhere. ${cure}`])
  }
  const spellings = spellingsOf(from, to)
  if (spellings.every((spelling) => spelling.old === spelling.new)) {
    return said([`Nothing to rename: the repository has the names in ${NAMES}.`])
  }
  const changes = changesIn(root, NAMES) ?? []
  if (changes.length > 0) {
    const listed = shortened(changes.map((path) => `not committed: ${path}`))
    return refused([...listed, `Commit or stash all changes but that of ${NAMES}, and run again.`])
  }

  const files = rewritten(root, spellings)
  const faults = [...files.flatMap((file) => file.problems), ...collisions(files)]
  if (faults.length > 0) return refused(shortened(eachFirst(faults).map(formatProblem)))
  if (dryRun) return said(listed(files, root))
  return stage(root, files, to)
}

/** All files by hand, as they will be. */
function rewritten(root: string, spellings: readonly Spelling[]): Planned[] {
  const rewriter = new Rewriter(spellings)
  const generated = new Set([...generatedFiles(root), MANIFEST])
  const paths = filesIn(root).filter((path) => !generated.has(path) && existsSync(join(root, path)))
  return paths.map((path) => {
    const content = readFileSync(join(root, path), 'utf8')
    const isKept = KEPT.test(path) || content.includes('\0')
    // A file that stays as it is may still move.
    return { ...rewriter.rewrite({ path, content: isKept ? '' : content }), isKept }
  })
}

function collisions(files: readonly Planned[]): Problem[] {
  const taken = new Map<string, string>()
  return files.flatMap(({ from, path }): Problem[] => {
    const other = taken.get(path)
    taken.set(path, from)
    if (other === undefined) return []
    const location = { file: from, line: 1, column: 1 }
    const message = `${path} would be the new path of this file and of ${other}`
    return [{ severity: 'error', location, message, fix: 'Choose names that differ' }]
  })
}

/** Writes the new repository beside the old one, generates in it, and only then puts it in place. */
function stage(root: string, files: readonly Planned[], to: Platform): Outcome {
  const staged = mkdtempSync(join(root, '.rename-'))
  try {
    for (const file of files) write(root, staged, file)
    const changed = files.filter((file) => isChanged(root, file))
    tidy(
      staged,
      changed.map(({ path }) => path),
      to,
    )
    const made = spawnSync(process.execPath, ['scripts/generate.ts'], {
      cwd: staged,
      encoding: 'utf8',
    })
    if (made.status !== 0) return refused([made.stderr.trim(), 'Nothing was renamed.'])
    replace(root, staged)
    link(root)
    return said([
      `Renamed to ${to.title}: ${changed.length} files.`,
      'Next: `npm run build && npm run surface && npm test`, then commit everything at once.',
    ])
  } finally {
    rmSync(staged, { recursive: true, force: true })
  }
}

function write(root: string, staged: string, { from, path, content, isKept }: Planned): void {
  const target = join(staged, path)
  mkdirSync(dirname(target), { recursive: true })
  copyFileSync(join(root, from), target)
  if (!isKept) writeFileSync(target, content)
}

function isChanged(root: string, { from, path, content, isKept }: Planned): boolean {
  return from !== path || (!isKept && content !== readFileSync(join(root, from), 'utf8'))
}

/** Moves the staged files over those of the repository, and removes those that have moved. */
function replace(root: string, staged: string): void {
  const before = filesIn(root).filter((path) => existsSync(join(root, path)))
  const after = readdirSync(staged, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(staged.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
  const kept = new Set(after)
  for (const path of before) {
    if (kept.has(path) || path.startsWith('.rename-')) continue
    rmSync(join(root, path))
    removeEmpty(root, dirname(path))
  }
  for (const path of after) {
    const content = readFileSync(join(staged, path))
    const target = join(root, path)
    if (existsSync(target) && readFileSync(target).equals(content)) continue
    mkdirSync(dirname(target), { recursive: true })
    renameSync(join(staged, path), target)
  }
}

function removeEmpty(root: string, folder: string): void {
  if (folder === '.' || readdirSync(join(root, folder)).length > 0) return
  rmdirSync(join(root, folder))
  removeEmpty(root, dirname(folder))
}

/** The workspaces have other names: npm links them again and orders the lock file. */
function link(root: string): void {
  const args = ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
  const shell = process.platform === 'win32'
  const { status } = spawnSync('npm', args, { cwd: root, stdio: 'ignore', shell })
  if (status !== 0) process.stderr.write('Run `npm install`: it failed here.\n')
}

function listed(files: readonly Planned[], root: string): string[] {
  const moved = files.filter(({ from, path }) => from !== path)
  const changed = files.filter((file) => file.from === file.path && isChanged(root, file))
  return [
    ...moved.map(({ from, path }) => `move    ${from} → ${path}`),
    ...changed.map(({ path }) => `rewrite ${path}`),
    'Then everything that is generated. Nothing was written.',
  ]
}

/** One place of each problem before its other places, so that a word that is everywhere hides no other one. */
function eachFirst(problems: readonly Problem[]): Problem[] {
  const firsts = new Map(problems.toReversed().map((problem) => [problem.message, problem]))
  const isFirst = (problem: Problem) => firsts.get(problem.message) === problem
  return [...problems.filter(isFirst), ...problems.filter((problem) => !isFirst(problem))]
}

function shortened(lines: readonly string[]): string[] {
  const rest = lines.length - MAX_SHOWN
  return rest > 0 ? [...lines.slice(0, MAX_SHOWN), `and ${rest} more`] : [...lines]
}

function refused(messages: string[]): Outcome {
  return { exit: 1, said: [], messages }
}

function said(lines: string[]): Outcome {
  return { exit: 0, said: lines, messages: [] }
}
