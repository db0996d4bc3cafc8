// What it costs to accept a genuine delivery in JavaScript: `verify` checks the signature, `unwrap` parses
// the body too.

import { contenders, makeBody, type Size, sizes } from './deliveries.ts'
import { median, noise, type Round, race } from './measure.ts'
import { type Budget, digits, percent, report } from './report.ts'

type Name = keyof Awaited<ReturnType<typeof contenders>>

const labels: Record<Name, string> = {
  'verify floor': '`verify`: floor, node:crypto',
  'verify ours': '**@support-chat/sdk**',
  'verify ours on WebCrypto': '**@support-chat/sdk**, WebCrypto alone',
  'verify stripe': 'stripe',
  'verify octokit': '@octokit/webhooks-methods',
  'verify standard': 'standardwebhooks',
  'unwrap floor': '`unwrap`: floor + strict decoding + JSON.parse',
  'unwrap ours': '**@support-chat/sdk**',
  'unwrap ours on WebCrypto': '**@support-chat/sdk**, WebCrypto alone',
  'unwrap stripe': 'stripe',
  'unwrap octokit': '@octokit/webhooks-methods + JSON.parse',
  'unwrap standard': 'standardwebhooks',
}

const everySize = Object.keys(sizes) as Size[]
const races = {} as Record<Size, Round<Name>[]>
for (const size of everySize) {
  const entrants = await contenders(makeBody(sizes[size]))
  for (const [name, run] of Object.entries(entrants)) {
    if ((await run()) === false) throw new Error(`${name} refused a genuine delivery`)
  }
  races[size] = await race(entrants)
}

/** How many times as fast as `to` a contender is. */
const speed = (size: Size, name: Name, to: Name) =>
  median(races[size].map((round) => round[to] / round[name]))

const floorOf = (name: Name): Name => (name.startsWith('verify') ? 'verify floor' : 'unwrap floor')
const rows = (Object.keys(labels) as Name[]).map((name) => [
  labels[name],
  ...everySize.map((size) => {
    const perSecond = 1e6 / median(races[size].map((round) => round[name]))
    return `${digits(perSecond)} (${speed(size, name, floorOf(name)).toFixed(2)})`
  }),
])

const atLeast = (limit: number, on: Size[], name: Name, to: Name): Budget[] =>
  on.map((size) => ({
    what: `\`${name.split(' ')[0]}\` at ${size}, ours to ${to.split(' ')[1]}`,
    actual: speed(size, name, to),
    limit,
    keep: 'at least',
  }))

report(
  ['a second (to the floor)', ...everySize],
  [
    ...rows,
    [
      'noise of the floor',
      ...everySize.map((size) => percent(noise(races[size].map((round) => round['verify floor'])))),
    ],
  ],
  [
    ...atLeast(0.85, ['300 B'], 'verify ours', 'verify floor'),
    ...atLeast(0.98, ['64 KB', '1 MB'], 'verify ours', 'verify floor'),
    ...atLeast(0.85, ['300 B'], 'unwrap ours', 'unwrap floor'),
    ...atLeast(0.98, ['2 KB', '64 KB', '1 MB'], 'unwrap ours', 'unwrap floor'),
    ...atLeast(1, everySize, 'unwrap ours', 'unwrap stripe'),
    ...atLeast(1, everySize, 'unwrap ours', 'unwrap octokit'),
    ...atLeast(2, ['300 B', '2 KB', '1 MB'], 'unwrap ours', 'unwrap standard'),
    ...atLeast(5, ['64 KB'], 'unwrap ours', 'unwrap standard'),
  ],
)
