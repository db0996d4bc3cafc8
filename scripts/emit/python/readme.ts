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
  unpublished,
} from '../core/readme.ts'
import { tourOf } from '../core/tour.ts'
import { Snippets } from './snippets.ts'

/** What users read first; its snippets fit the generated code. */
export function emitReadme(api: Api, sources: Sources, place: Place): OutFile {
  const { platform, policy } = api
  const tour = tourOf(api)
  const snippets = new Snippets(api, place)
  const about = {
    name: platform.pypi,
    language: 'Python',
    also: `for threads, asyncio and trio${tour.event ? ', with a receiver of its webhooks' : ''}`,
    needs: 'Python 3.10 and newer; typed throughout.',
  }
  return readmeFile(
    sources,
    opening(api, about, place),
    section('Install', install(api, place)),
    section('First call', snippets.firstCall(tour)),
    section('Options', options(api)),
    section('Pages', snippets.pages(tour)),
    section('Async', snippets.awaited(tour)),
    section('Writing', snippets.writing(tour)),
    section('Data', snippets.data(tour)),
    section('Errors', snippets.errors(tour, policy)),
    section('Retries', retriesText(api)),
    section('The answer itself', snippets.answer(tour)),
    section('Webhooks', snippets.webhooks(tour, place)),
    section('A mock server in tests', tour.event && kitText(api, kit(api), place)),
  )
}

function install(api: Api, place: Place): string {
  const { pypi, published } = api.platform
  if (published) return blocks(shell(`python -m pip install ${pypi}`), mockText(api, place))
  const folder = place === 'repository' ? 'clone/sdks/python' : 'folder'
  return blocks(
    sentences(
      unpublished('PyPI'),
      place === 'repository'
        ? 'Install it from a clone of this repository:'
        : 'Install it from this folder:',
    ),
    shell(`python -m pip install /path/to/${folder}`),
    mockText(api, place),
  )
}

function options(api: Api): string {
  const { timeoutMs, retries } = api.policy
  return blocks(
    environmentText(api),
    optionsTable([
      ['timeout', String(timeoutMs / 1_000), 'seconds for one attempt, its body included'],
      ['max_retries', String(retries.max), 'attempts beyond the first'],
      ['http_client', 'its own', 'an httpx2 client, for proxies, certificates and tests'],
      ['logger', 'the one named like this package', 'told of every attempt; secrets are redacted'],
      ['trace', 'None', 'wraps every attempt, for spans and metrics'],
    ]),
    sentences(
      '`client.with_options(timeout=5)` is the same client with other options, over the same connections.',
      'A call takes `idempotency_key`, `timeout`, `max_retries` and `extra_headers` beside its own arguments.',
    ),
  )
}

function kit({ platform }: Api): Kit {
  return {
    start: `\`with mock_server() as mock:\`, of \`${platform.pythonImport}.testing\`,`,
    takesCommand: true,
    members: {
      access: '`url`, `api_key`',
      addEndpoint: '`add_endpoint(url, *, secret=None, events=None)`',
      trigger: '`trigger(kind, data=None)`',
      advance: '`advance("PT24H")`',
      deliveries: '`deliveries(state=None)`',
      replay: '`replay(id)`',
      reset: '`reset()`',
      close: '`close()`, done at the end of the `with`',
    },
  }
}
