import type { Api, Platform } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import { header, type OutFile } from '../core/file.ts'
import { emit } from './index.ts'
import { testPackage } from './naming.ts'

/**
 * The files that only packages with signed events have. The test kit is the one in a folder; mocks of the API
 * are for every contract.
 */
const OF_WEBHOOKS = /^webhooks?[._]|\/(?!(?:api|fixtures|json)[._])/

/** The first line of a runtime file that only some contracts need. Our package is built without it. */
const TAG = '//go:build everycontract\n\n'

/** What generated code of a contract that needs such a file mentions. */
export const PIECES: Readonly<Record<string, RegExp>> = {
  'content.go': /\bcontentBody\(/,
  'form.go': /\b(?:File|formBody|multipartBody)\b/,
  'oneof.go': /\boneOf\b/,
  'optional.go': /\bOptional\[/,
  'ptr.go': /^\t\w+\s+\*\w[\w.]*\s+`(?:json:".*,omitzero"|query:)/m,
  'results.go': /\b(?:callValue|callByStatus)\b/,
  'webhook_members.go': /\bmember(?:Text|Time)\(/,
}

/** The files of the runtime that a contract needs besides those that all need. */
export function piecesOf(api: Api): string[] {
  const sources = { contract: '', behavior: '', names: '' }
  const code = emit(api, sources).map(({ content }) => content.replace(/^\s*\/\/.*$/gm, ''))
  return Object.keys(PIECES).filter((path) => code.some((text) => PIECES[path]?.test(text)))
}

/** The rest of a package for another contract: the runtime under its name, and files that build it. */
export function packageFiles(api: Api, runtime: readonly OutFile[]): OutFile[] {
  const rename = renamer(runtime, api.platform)
  const pieces = piecesOf(api)
  return runtime
    .filter(({ path }) => !(path in PIECES) || pieces.includes(path))
    .filter(({ path }) => hasEvents(api) || !OF_WEBHOOKS.test(path))
    .map((file) => ({ path: rename(file.path), content: adapted(file, rename) }))
}

/**
 * A file of ours as it stands in another package. Code is generated there and says so; that is also
 * why linters accept functions that the contract at hand does not need.
 */
function adapted({ path, content }: OutFile, rename: (text: string) => string): string {
  if (path === 'go.mod') return rename(content)
  if (!path.endsWith('.go')) return content
  return `// ${header(`sdks/go/${path}`)}\n\n${rename(content.replace(TAG, ''))}`
}

/** Replaces the runtime's module and packages in a text by those of a platform. */
function renamer(runtime: readonly OutFile[], platform: Platform): (text: string) => string {
  const own = (path: string, pattern: RegExp) =>
    pattern.exec(runtime.find((file) => file.path === path)?.content ?? '')?.[1] ?? ''
  const goModule = own('go.mod', /^module (.*)$/m)
  const goPackage = own('version.go', /^package (\w+)$/m)
  const names = new Map([
    [goModule, platform.goModule],
    [goPackage, platform.goPackage],
    [testPackage({ goPackage }), testPackage(platform)],
  ])
  const escaped = goModule.replaceAll('.', '\\.')
  const pattern = new RegExp(`${escaped}|\\b${goPackage}(?:test)?\\b`, 'g')
  return (text) => text.replace(pattern, (name) => names.get(name) ?? name)
}
