/** Checks of how an event arrives: its body, its connection, and what is no event. */
import { type Judgement, judged } from '../types.ts'
import type { Check } from './check.ts'
import { summary } from './events.ts'
import type { Made } from './maker.ts'
import { type Answer, isAccepted, isFailure, isRefused, type Stage, told } from './stage.ts'

const PARSED =
  'The receiver does not verify the bytes that arrived, but what it parsed and wrote again. Genuine events are lost.'
const RAW = 'Verify the raw body, before anything parses it.'

/** Characters of two, three and four bytes, and one that JSON writers escape differently. */
const TEXTS = 'Größe, 東京, 🙋, </script> \u2028'

export const REQUESTS: readonly Check[] = [
  {
    id: 'accepts-any-text',
    title: 'Accepts text in any language, and escapes in JSON',
    severity: 'major',
    meaning: PARSED,
    cure: `${RAW} Read it as bytes, or as UTF-8.`,
    async play(stage) {
      const plain = withText(stage.make.any())
      const made = stage.make.any()
      const escaped = { ...made, body: ascii(withText(made).body) }
      return accepts(stage, 'text of several alphabets, as UTF-8 and escaped', [plain, escaped])
    },
  },
  {
    id: 'accepts-any-formatting',
    title: 'Accepts JSON with other spaces and another order of fields',
    severity: 'major',
    meaning: PARSED,
    cure: RAW,
    async play(stage) {
      const [one, other] = [stage.make.any(), stage.make.any()]
      const pretty = { ...one, body: `${JSON.stringify(JSON.parse(one.body), null, 2)}\n` }
      const entries = Object.entries(JSON.parse(other.body)).reverse()
      const turned = { ...other, body: JSON.stringify(Object.fromEntries(entries)) }
      return accepts(stage, 'indented JSON, and fields in another order', [pretty, turned])
    },
  },
  {
    id: 'accepts-large-bodies',
    title: 'Accepts a body of 1 MiB',
    severity: 'minor',
    meaning: 'Events with long texts are lost. Many frameworks stop at 100 KB.',
    cure: 'Set the limit of your framework for this route to 1 MiB.',
    async play(stage) {
      const made = stage.make.padded(stage.make.any(), stage.options.thresholds.body)
      return accepts(stage, 'a genuine event of 1 MiB', [made])
    },
  },
  {
    id: 'limits-bodies',
    title: 'Refuses a body that is larger',
    severity: 'minor',
    meaning:
      'The receiver reads whatever it is sent into memory. A few large requests can stop it.',
    cure: 'Stop reading after 1 MiB, and return 413.',
    async play(stage) {
      const made = stage.make.any()
      const { body } = stage.make.padded(made, 4 * stage.options.thresholds.body)
      const large = { ...made, body }
      const answer = await stage.odd(large, { headers: stage.headersOf(large), body })
      // Where the receiver stops to read, the connection breaks before the response is there.
      const isBroken = answer.status === null && !/no complete response/.test(answer.reason ?? '')
      const isFine = isRefused(answer) || isBroken
      return judged(isFine, 'a body of 4 MiB', isFine ? 'refused' : told(answer))
    },
  },
  {
    id: 'accepts-chunks',
    title: 'Accepts a body in chunks, without a length',
    severity: 'minor',
    meaning: 'A proxy may forward a body in chunks. Then events are lost.',
    cure: 'Read the body to its end, whatever Content-Length says. Join the bytes before you decode them: a chunk can end within a character.',
    async play(stage) {
      const made = withText(stage.make.any())
      const bytes = Buffer.from(made.body)
      const chunks = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, index) => {
        return bytes.subarray(7 * index, 7 * index + 7)
      })
      const body = (async function* () {
        yield* chunks
      })()
      const answer = await stage.vary(made, { body: body as never })
      return judged(isAccepted(answer), 'an event in chunks of 7 bytes', told(answer))
    },
  },
  {
    id: 'accepts-new-connections',
    title: 'Accepts events on new and on used connections',
    severity: 'minor',
    meaning: 'Where a connection is closed or used again, events are lost.',
    cure: 'Read each body to its end, also where you refuse the request, and let your server close connections.',
    async play(stage) {
      const list = Array.from({ length: 4 }, () => stage.make.any())
      const answers: Answer[] = []
      for (const [index, made] of list.entries())
        answers.push(await stage.vary(made, { reset: index % 2 === 0 }))
      const sent = 'four events, the connection closed after the first and the third'
      return judged(answers.every(isAccepted), sent, summary(list, answers))
    },
  },
  {
    id: 'survives-other-requests',
    title: 'Refuses what is no delivery without failing',
    severity: 'minor',
    meaning: 'Scanners call every URL. Failures of the receiver hide among those that they cause.',
    cure: 'Return 405 for other methods and 400 for a body that is no event.',
    async play(stage) {
      const made = stage.make.any()
      const signed = (body: string) => {
        const odd: Made = { ...made, body }
        return stage.odd(odd, { headers: stage.headersOf(odd), body })
      }
      const found: Array<[string, Answer]> = [
        ['GET', await stage.odd(made, { method: 'GET', headers: {}, body: null })],
        ['no JSON', await signed('this is no JSON')],
        ['an empty body', await signed('')],
        ['a list', await signed('[]')],
        ['null', await signed('null')],
        ['another content type', await stage.odd(made, typed(stage, made))],
      ]
      const wrong = found.filter(([what, answer]) => {
        return isFailure(answer) || (what === 'GET' && isAccepted(answer))
      })
      const seen = wrong.map(([what, answer]) => `${what}: ${told(answer)}`).join('; ')
      const sent = 'GET, and signed bodies that are no JSON, no object or have another content type'
      return judged(wrong.length === 0, sent, seen || 'no failure')
    },
  },
]

function typed(stage: Stage, made: Made) {
  return { headers: { ...stage.headersOf(made), 'content-type': 'text/plain' } }
}

async function accepts(stage: Stage, sent: string, list: readonly Made[]): Promise<Judgement> {
  const answers: Answer[] = []
  for (const made of list) answers.push(await stage.deliver(made))
  return judged(answers.every(isAccepted), sent, summary(list, answers))
}

function withText(made: Made): Made {
  return { ...made, body: JSON.stringify({ ...JSON.parse(made.body), certify_text: TEXTS }) }
}

/** The same JSON with ASCII alone. */
function ascii(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
