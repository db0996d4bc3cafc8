import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Language } from '../emit/core/language.ts'
import { LANGUAGES } from '../languages.ts'
import { loadMaker, type Maker } from './make.ts'

export interface Request {
  method: keyof Maker
  args: unknown[]
}

export type Response = { value: unknown } | { error: unknown }

/** How many MB a thread holds of what is mostly garbage; Node's default is several times as much. */
const YOUNG = 16

let makers: ReadonlyMap<Language, Maker> | null = null

/**
 * What makes the packages of each language: one in this thread, and each other in its own, because most of
 * the time goes into emitters and formatters. The threads start at the first call and stay for further runs.
 */
export function startMakers(): ReadonlyMap<Language, Maker> {
  makers ??= new Map(
    LANGUAGES.map((language, index) => [language, index === 0 ? here(language) : apart(language)]),
  )
  return makers
}

function here(language: Language): Maker {
  const maker = loadMaker(language)
  return {
    nameClashes: async (api) => (await maker).nameClashes(api),
    makePackage: async (api, settings) => (await maker).makePackage(api, settings),
    writeSnippets: async (snippets, api) => (await maker).writeSnippets(snippets, api),
  }
}

function apart({ name }: Language): Maker {
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    workerData: name,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG },
  })
  worker.unref()
  let last: Promise<unknown> = Promise.resolve()
  const ask = (method: keyof Maker, ...args: unknown[]) => {
    // One after the other, so that each response is that of its request.
    last = last.then(
      () => send(method, args),
      () => send(method, args),
    )
    return last
  }
  const send = async (method: keyof Maker, args: unknown[]) => {
    worker.ref() // The process must not end before the response.
    try {
      worker.postMessage({ method, args } satisfies Request)
      const [response] = (await once(worker, 'message')) as [Response]
      if ('error' in response) throw response.error
      return response.value
    } finally {
      worker.unref()
    }
  }
  return {
    nameClashes: (api) => ask('nameClashes', api) as ReturnType<Maker['nameClashes']>,
    makePackage: (...args) => ask('makePackage', ...args) as ReturnType<Maker['makePackage']>,
    writeSnippets: (...args) => ask('writeSnippets', ...args) as ReturnType<Maker['writeSnippets']>,
  }
}
