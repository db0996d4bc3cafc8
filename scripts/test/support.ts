import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Options } from '../cli.ts'
import { loadContract } from '../contract/load.ts'
import type { Sources } from '../emit/core/file.ts'
import { NAME_RULES } from '../languages.ts'
import { lower } from '../lower/lower.ts'
import { loadPlatform } from '../lower/platform.ts'
import { loadPolicy } from '../lower/policy.ts'
import type { Api } from '../model/types.ts'
import { type Outcome, run } from '../pipeline.ts'
import { ROOT } from '../repository.ts'

export const CASES = fileURLToPath(new URL('cases', import.meta.url))

/** What packages of a test are called, unless it says otherwise. */
export const NAMES = fileURLToPath(new URL('names.yaml', import.meta.url))

/** The sources that the headers of our own generated files name. */
export const SOURCES: Sources = {
  contract: 'openapi.yaml',
  names: 'sdks/names.yaml',
  behavior: 'sdks/behavior.yaml',
}

/** A temporary folder for one test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'generate-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a document to a temporary folder. */
export function write(text: string, name = 'openapi.yaml'): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, text)
  return file
}

/** Generates from a file, as the command does. Messages name files without their folder. */
export async function generate(
  contract: string,
  options: Partial<Options> = {},
): Promise<Outcome & { out: string }> {
  const out = options.out ?? join(temporaryFolder(), 'out')
  const outcome = await run({
    names: NAMES,
    overlays: [],
    check: false,
    skipUnsupported: false,
    ...options,
    contract,
    out,
  })
  const folder = contract.slice(0, contract.lastIndexOf('/') + 1)
  const messages = outcome.messages.map((message) =>
    message.replaceAll(folder, '').replaceAll(`${out}/`, ''),
  )
  return { ...outcome, messages, out }
}

/** All files of a folder whose paths in it match, by these paths. */
export function filesOf(folder: string, pattern = /./): Map<string, string> {
  if (!existsSync(folder)) return new Map()
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => pattern.test(path))
    .sort()
  return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

/** The model of a document that has no problem, under our names or others. */
export async function modelOf(file: string, names = join(ROOT, 'sdks/names.yaml')): Promise<Api> {
  const { contract, problems } = await loadContract(file)
  const { platform } = await loadPlatform(names, NAME_RULES)
  const { policy } = await loadPolicy(join(ROOT, 'sdks/behavior.yaml'))
  if (!contract || !platform || !policy) throw new Error(JSON.stringify(problems))
  return lower(contract, platform, policy).api
}
