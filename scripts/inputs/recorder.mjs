/**
 * Records which files of the repository a process reads: each path once, as a line of a file of the
 * process's own in the folder that RECORD_READS names. Preloaded with --import, also by the older
 * releases of Node.js that tests start, so it is plain JavaScript and changes no result.
 */
import childProcess from 'node:child_process'
import fs from 'node:fs'
import module, { syncBuiltinESMExports } from 'node:module'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { threadId } from 'node:worker_threads'

const folder = process.env.RECORD_READS
const root = fileURLToPath(new URL('../..', import.meta.url))
const seen = new Set()
const { appendFileSync } = fs

function record(path) {
  if (typeof path !== 'string' && !(path instanceof URL) && !Buffer.isBuffer(path)) return
  try {
    const file = path instanceof URL ? fileURLToPath(path) : resolve(String(path))
    if (seen.has(file) || !file.startsWith(root)) return
    seen.add(file)
    if (file.includes(`${sep}.git${sep}`)) return
    appendFileSync(join(folder, `${process.pid}-${threadId}`), `${file}\n`)
  } catch {
    // The original refuses an invalid path, and a test may end before its children.
  }
}

/** Has the functions of a module record their first argument. */
function watch(target, names) {
  for (const name of names) {
    const original = target[name]
    if (typeof original !== 'function') continue
    const watched = function (path, ...rest) {
      record(path)
      return Reflect.apply(original, this, [path, ...rest])
    }
    Object.defineProperties(watched, Object.getOwnPropertyDescriptors(original))
    target[name] = watched
  }
}

/** The variables that have a child record too, for tests that give it no others of this process. */
function inherited() {
  const { NODE_OPTIONS, RECORD_READS } = process.env
  return { NODE_OPTIONS, RECORD_READS }
}

/** Passes them on where an environment is given: the last argument but a callback, if any. */
function passOn(target, names) {
  for (const name of names) {
    const original = target[name]
    target[name] = function (...args) {
      const options = args.find((one) => one?.env && typeof one === 'object')
      const all = options && { ...options, env: { ...inherited(), ...options.env } }
      return Reflect.apply(original, this, all ? args.with(args.indexOf(options), all) : args)
    }
    Object.defineProperties(target[name], Object.getOwnPropertyDescriptors(original))
  }
}

if (folder) {
  passOn(childProcess, [
    'spawn',
    'spawnSync',
    'fork',
    'exec',
    'execSync',
    'execFile',
    'execFileSync',
  ])
  const both = ['readFile', 'open', 'copyFile', 'cp']
  watch(fs, [...both, ...both.map((name) => `${name}Sync`), 'openAsBlob'])
  watch(fs.promises, both)
  syncBuiltinESMExports()
  module.registerHooks?.({
    load(url, context, nextLoad) {
      if (url.startsWith('file:')) record(new URL(url.split('?')[0]))
      return nextLoad(url, context)
    },
  })
}
