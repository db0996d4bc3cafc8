import type { Api } from '../../model/types.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { blocks } from '../core/markdown.ts'
import {
  environmentText,
  type Kit,
  kitText,
  mockText,
  opening,
  optionsTable,
  type Place,
  readmeFile,
  retriesText,
  section,
  sentences,
  shell,
} from '../core/readme.ts'
import { tourOf } from '../core/tour.ts'
import { testPackage } from './naming.ts'
import { Snippets } from './snippets.ts'

/** What users read first; its snippets fit the generated code. */
export function emitReadme(api: Api, sources: Sources, place: Place): OutFile {
  const tour = tourOf(api)
  const snippets = new Snippets(api)
  const about = {
    name: api.platform.goPackage,
    language: 'Go',
    also: tour.event && 'with a receiver of its webhooks',
    needs: 'Go 1.24 and newer; nothing but the standard library.',
  }
  return readmeFile(
    sources,
    opening(api, about, place),
    section('Install', install(api, place)),
    section('First call', snippets.firstCall(tour, place)),
    section('Options', options(api)),
    section('Pages', snippets.pages(tour)),
    section('Writing', snippets.writing(tour)),
    section('Data', snippets.data()),
    section('Errors', snippets.errors(tour)),
    section('Retries', retriesText(api)),
    section('The answer itself', snippets.answer(tour)),
    section('Webhooks', snippets.webhooks(tour, place)),
    section('A mock server in tests', tour.event && kitText(api, kit(api), place)),
  )
}

function install(api: Api, place: Place): string {
  const { goModule, published } = api.platform
  if (published) return blocks(shell(`go get ${goModule}`), mockText(api, place))
  const isClone = place === 'repository'
  return blocks(
    sentences(
      'The module is not published, and nobody owns its path: never fetch it by that.',
      isClone ? 'Replace it by a clone of this repository:' : 'Replace it by this folder:',
    ),
    shell(
      `go mod edit -require ${goModule}@v0.0.0`,
      `go mod edit -replace ${goModule}=/path/to/${isClone ? 'clone/sdks/go' : 'folder'}`,
    ),
    mockText(api, place),
  )
}

function options(api: Api): string {
  const { timeoutMs, retries } = api.policy
  return blocks(
    environmentText(api),
    optionsTable([
      ['WithTimeout', `${timeoutMs / 1_000} s`, 'for one attempt, its body included'],
      ['WithMaxRetries', String(retries.max), 'attempts beyond the first'],
      ['WithHTTPClient', 'its own', 'for proxies, certificates and tests'],
      ['WithLogger', 'none', 'a `*slog.Logger`, told of every attempt; secrets are redacted'],
      ['WithTracer', 'none', 'called around every attempt, for spans and metrics'],
    ]),
    sentences(
      '`client.WithOptions` returns the same client with other options, over the same connections.',
      'A call takes `WithTimeout`, `WithMaxRetries`, `WithIdempotencyKey`, `WithHeader` and `WithResponseInto` as its last arguments.',
    ),
  )
}

function kit({ platform }: Api): Kit {
  return {
    start: `\`${testPackage(platform)}.StartMockServer(t)\``,
    members: {
      access: '`URL`, `APIKey`',
      addEndpoint: '`AddEndpoint(url, secret, kinds...)`',
      trigger: '`Trigger(kind, data)`',
      advance: '`Advance("PT24H")`',
      deliveries: '`Deliveries()`',
      replay: '`Replay(id)`',
      reset: '`Reset()`',
    },
  }
}
