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
import { quote } from './literal.ts'
import { Snippets } from './snippets.ts'

/** What users read first; its snippets fit the generated code. */
export function emitReadme(api: Api, sources: Sources, place: Place): OutFile {
  const tour = tourOf(api)
  const snippets = new Snippets(api)
  const about = {
    name: api.platform.gem,
    language: 'Ruby',
    also: tour.event && 'with a receiver of its webhooks',
    needs:
      'Ruby 3.1 and newer, with signatures in RBS; no dependencies. Threads may share a client, and forks inherit it.',
  }
  return readmeFile(
    sources,
    opening(api, about, place),
    section('Install', install(api, place)),
    section('First call', snippets.firstCall(tour, place)),
    section('Options', options(api)),
    section('Pages', snippets.pages(tour)),
    section('Writing', snippets.writing(tour)),
    section('Data', snippets.data(tour)),
    section('Errors', snippets.errors(tour)),
    section('Retries', retriesText(api)),
    section('The answer itself', snippets.answer(tour)),
    section('Webhooks', snippets.webhooks(tour, place)),
    section('A mock server in tests', tour.event && kitText(api, kit(api), place)),
  )
}

function install(api: Api, place: Place): string {
  const { gem, published } = api.platform
  if (published) return blocks(shell(`gem install ${gem}`), mockText(api, place))
  const isClone = place === 'repository'
  return blocks(
    sentences(
      unpublished('RubyGems'),
      isClone
        ? 'Build it in a clone of this repository and install what that has written:'
        : 'Build it in this folder and install what that has written:',
    ),
    shell(
      `gem build ${isClone ? '-C sdks/ruby ' : ''}${gem}.gemspec --output /tmp/${gem}.gem`,
      `gem install --local /tmp/${gem}.gem`,
    ),
    `or let Bundler take it as it is: \`gem ${quote(gem)}, path: "/path/to/${isClone ? 'clone/sdks/ruby' : 'folder'}"\`.`,
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
      ['logger', 'nil', 'a `Logger`, told of every attempt; secrets are redacted'],
      ['trace', 'nil', 'wraps every attempt, for spans and metrics'],
      ['configure_connection', 'nil', 'given every new `Net::HTTP`, for proxies and certificates'],
    ]),
    sentences(
      '`client.with_options(timeout: 5)` is the same client with other options, over the same connections.',
      'A call takes `request_options: { idempotency_key:, timeout:, max_retries:, headers: }` beside its own arguments.',
    ),
  )
}

function kit({ platform }: Api): Kit {
  return {
    start: `\`${platform.rubyModule}::Testing::MockServer.start\`, of \`${platform.gem}/testing\`,`,
    takesCommand: true,
    members: {
      access: '`url`, `api_key`',
      addEndpoint: '`add_endpoint(url, secret: nil, events: nil)`',
      trigger: '`trigger(kind, data = {})`',
      advance: '`advance("PT24H")`',
      deliveries: '`deliveries(state = nil)`',
      replay: '`replay(id)`',
      reset: '`reset`',
      close: '`close`, done at the end of a block that `start` is given',
    },
  }
}
