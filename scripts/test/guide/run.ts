// Compiles the code of a guide with the packages of both versions, and runs it against their services.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bundle } from '../witnesses/bundle.ts'
import { deliveriesOf, SECRET } from '../witnesses/deliveries.ts'
import type { Harness } from '../witnesses/harness/language.ts'
import { load } from '../witnesses/service.ts'
import { harnesses, make, rulesOf } from '../witnesses/stage.ts'
import { VERSIONS, type Version } from '../witnesses/witness.ts'
import type { Block } from './blocks.ts'
import { WRAPS } from './programs.ts'

/** The service returns the same page for every cursor, so a loop over pages ends with an error. */
const ENDLESS = /next cursor led to an earlier page/

/** Resolves to what is wrong with the code, in sentences. */
export async function faultsOf(
  blocks: readonly Block[],
  bundle: Bundle,
  folder: string,
): Promise<string[]> {
  const faults = await Promise.all(
    VERSIONS.map(async (version) => {
      const contract = await make(bundle, version, folder)
      const serve = await load(contract, rulesOf(bundle, version))
      const found: string[] = []
      for (const [language, harness] of harnesses) {
        const own = blocks.filter(
          (one) => one.language === language && one.versions.includes(version),
        )
        if (own.length === 0) continue
        const service = await serve()
        try {
          const deliveries = deliveriesOf(bundle.documents[version])
          const place = { version, folder, url: service.url, deliveries }
          found.push(...(await play(own, harness, place)))
        } finally {
          service.close()
        }
      }
      return found
    }),
  )
  return faults.flat()
}

interface Place {
  version: Version
  folder: string
  url: string
  deliveries: ReturnType<typeof deliveriesOf>
}

async function play(
  blocks: readonly Block[],
  harness: Harness,
  { version, folder, url, deliveries }: Place,
): Promise<string[]> {
  const [{ language } = { language: '' }] = blocks
  const at = join(folder, 'guide', version, language)
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, 'package.json'), '{ "type": "module" }\n')
  const files = new Map(
    blocks.map(({ entry, code }) => {
      const file = join(at, `${entry}.${harness.extension}`)
      writeFileSync(file, WRAPS[language]?.(code) ?? code)
      return [entry, file]
    }),
  )
  const programs = { package: join(folder, version, language), files }
  const complaints = await harness.check(programs)
  // What a change removes may have been deprecated before.
  const wrong = [...(complaints ?? [])].flatMap(([entry, { errors, warnings }]) => {
    const texts = version === 'after' ? [...errors, ...warnings] : errors
    return texts.map((text) => `${entry} ${version} ${language}: ${text}`)
  })
  const sound = new Map([...files].filter(([entry]) => !complaints?.get(entry)?.errors.length))
  const all = Object.fromEntries([...files.keys()].map((entry) => [entry, deliveries]))
  const runs = await harness.run(
    { ...programs, files: sound },
    { url, secret: SECRET, deliveries: all, keyless: [] },
  )
  const failed = [...runs].flatMap(([entry, { error }]) =>
    error && !ENDLESS.test(error.message)
      ? [`${entry} ${version} ${language}: ${error.message}`]
      : [],
  )
  return [...wrong, ...failed]
}
