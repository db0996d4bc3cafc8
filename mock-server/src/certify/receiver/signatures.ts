/** Checks of what the receiver does with signatures. */
import { createHmac } from 'node:crypto'
import { type Judgement, judged, unobservable, unseen } from '../types.ts'
import type { Check } from './check.ts'
import { summary } from './events.ts'
import { type Answer, isAccepted, isRefused, type Stage, told } from './stage.ts'

const FORGED =
  'Anybody who knows the URL can send events: hand conversations off, change data, or start work.'

/** A shorter secret is also a part of other texts. */
const LEAST = 8

/** No secret of anybody. */
const STRANGER = 'whsec_of_somebody_else'

export const SIGNATURES: readonly Check[] = [
  {
    id: 'refuses-unsigned',
    title: 'Refuses an event without a signature',
    severity: 'critical',
    meaning: FORGED,
    cure: 'Return 401 where the signature header is missing, before anything else is done.',
    play: (stage) => refuses(stage, 'an event without a signature', () => [null]),
  },
  {
    id: 'refuses-empty-signature',
    title: 'Refuses an empty signature',
    severity: 'critical',
    meaning: FORGED,
    cure: 'Treat an empty header, and one with the prefix alone, like a wrong signature.',
    play: (stage) =>
      refuses(stage, 'an empty signature, and the prefix alone', ({ options }) => [
        '',
        options.signature.prefix,
      ]),
  },
  {
    id: 'refuses-wrong-signature',
    title: 'Refuses a signature by another secret',
    severity: 'critical',
    meaning: FORGED,
    cure: 'Compute the HMAC of the raw body with your secret, and compare the whole digest.',
    play: (stage) =>
      refuses(stage, 'a signature by another secret', ({ options, make }) => {
        const digest = createHmac('sha256', STRANGER).update(make.any().body).digest('hex')
        return [options.signature.prefix + digest]
      }),
  },
  {
    id: 'refuses-changed-body',
    title: 'Refuses a body that was changed after it was signed',
    severity: 'critical',
    meaning: FORGED,
    cure: 'Verify the bytes that arrived. Do not verify an ID, a header or a part of the body.',
    async play(stage) {
      const signature = stage.options.signature.prefix + stage.digest(stage.make.any())
      const answers = [await stage.forge(stage.make.any(), signature)]
      return judgedBy(answers, 'an event with the signature of another one')
    },
  },
  {
    id: 'refuses-part-of-signature',
    title: 'Refuses the start of the right signature',
    severity: 'critical',
    meaning: 'A signature can be guessed digit by digit.',
    cure: 'Compare the whole digest, with a function that also compares the length.',
    play: (stage) =>
      refuses(stage, 'the first digits of the right signature', ({ options }, digest) => {
        return [2, 16, 62].map((length) => options.signature.prefix + digest.slice(0, length))
      }),
  },
  {
    id: 'refuses-other-algorithms',
    title: 'Refuses other algorithms',
    severity: 'minor',
    meaning: 'The sender chooses the algorithm, a weak one too.',
    cure: 'Accept the prefix of the contract alone, and always compute HMAC-SHA256.',
    async play(stage) {
      const made = stage.make.any()
      const [sha1, sha512] = ['sha1', 'sha512'].map((hash) => {
        return `${hash}=${stage.digest(made, 'hex', stage.secret, hash)}`
      })
      const named = `md5=${stage.digest(made)}`
      const answers: Answer[] = []
      for (const signature of [sha1, sha512, named])
        answers.push(await stage.forge(made, signature ?? ''))
      return judgedBy(answers, 'signatures with SHA-1 and SHA-512, and the prefix md5=')
    },
  },
  {
    id: 'survives-malformed-signatures',
    title: 'Refuses malformed signatures with a status from 400 to 499',
    severity: 'major',
    meaning: 'A stranger can make the receiver fail, and in some servers end the process.',
    cure: 'Check the form of the header first. Functions that compare in constant time often throw where lengths differ or a text is not ASCII.',
    async play(stage) {
      const made = stage.make.any()
      const digest = stage.digest(made)
      const { prefix } = stage.options.signature
      const values = [
        prefix.slice(0, -1),
        '=',
        prefix + 'z'.repeat(64),
        prefix + 'é'.repeat(64),
        `${prefix}${digest}0`,
        `${prefix}${digest}, ${prefix}${digest}`,
      ]
      const answers: Answer[] = []
      for (const value of values) answers.push(await stage.forge(made, value))
      const bad = answers.filter((answer) => !isRefused(answer))
      const seen = bad.length === 0 ? 'all refused' : [...new Set(bad.map(told))].join('; ')
      return judged(bad.length === 0, 'six signatures that are no digests', seen)
    },
  },
  {
    id: 'refuses-with-4xx',
    title: 'Refuses forged events with a status from 400 to 499',
    severity: 'major',
    meaning:
      'After a status of 500 or more, the sender retries. Monitoring shows an attack as a failure of yours.',
    cure: 'Return 401 for a signature that is missing or wrong. Keep 500 and above for failures that a retry can cure.',
    async play({ exchanges }) {
      const answers = exchanges.flatMap((one) => (one.purpose === 'forged' ? [one.answer] : []))
      const wrong = answers.filter((answer) => !isRefused(answer) && !isAccepted(answer))
      const seen = wrong.length === 0 ? 'no other status' : [...new Set(wrong.map(told))].join('; ')
      return judged(wrong.length === 0, 'the forged events above', seen)
    },
  },
  {
    id: 'tells-no-digest',
    title: 'Does not tell the right signature, or the secret',
    severity: 'critical',
    meaning:
      'The sender of a forged event gets its right signature back, and sends it again with that.',
    cure: 'Return a status and no details. Write the reason to your log, without digests.',
    async play({ exchanges, options }) {
      const told = exchanges.filter(({ answer, digests }) => {
        const text = answer.body + Object.values(answer.headers).join('\n')
        const secrets = options.secrets.filter(({ length }) => length >= LEAST)
        return [...digests, ...secrets].some((secret) => text.includes(secret))
      })
      const seen = told.length === 0 ? 'neither' : 'a response has the right digest or the secret'
      return judged(told.length === 0, 'the events above', seen)
    },
  },
  {
    id: 'accepts-each-encoding',
    title: 'Accepts every encoding of the signature that the contract allows',
    severity: 'minor',
    meaning: 'The contract leaves the encoding open. The service may use any of them.',
    cure: 'Encode your digest like the one that arrived, by its length, and compare these texts. The SDKs do.',
    async play(stage) {
      const { encodings, signature } = stage.options
      if (encodings.length < 2) return unobservable('The contract has one encoding.')
      const list = encodings.map(() => stage.make.any())
      const answers: Answer[] = []
      for (const [index, made] of list.entries()) {
        const value = signature.prefix + stage.digest(made, encodings[index])
        answers.push(await stage.vary(made, { headers: stage.headersOf(made, value) }))
      }
      const refused = encodings.filter((_, index) => !isAccepted(answers[index] as Answer))
      const seen = refused.length === 0 ? 'all accepted' : `not accepted: ${refused.join(', ')}`
      return judged(refused.length === 0, `signatures as ${encodings.join(', ')}`, seen)
    },
  },
  {
    id: 'accepts-both-secrets',
    title: 'Accepts the old and the new secret during a rotation',
    severity: 'major',
    meaning: 'While a secret is rotated, events are lost.',
    cure: 'Let the receiver try several secrets, and remove the old one once no event is signed with it.',
    async play(stage) {
      const { secrets } = stage.options
      if (secrets.length < 2) {
        return unseen(
          'Let the receiver accept two secrets, and repeat --secret-env with the second.',
        )
      }
      const list = secrets.map(() => stage.make.any())
      const answers: Answer[] = []
      for (const [index, made] of list.entries())
        answers.push(await stage.deliver(made, secrets[index]))
      const sent = `an event signed with each of ${secrets.length} secrets`
      return judged(answers.every(isAccepted), sent, summary(list, answers))
    },
  },
  {
    id: 'compares-in-constant-time',
    title: 'Compares signatures in constant time',
    severity: 'minor',
    meaning:
      'Where a comparison ends at the first difference, its duration tells how much of a guess is right.',
    cure: 'Use the function of your language: timingSafeEqual, hmac.compare_digest, OpenSSL.fixed_length_secure_compare or hmac.Equal.',
    async play() {
      return unobservable('A network hides such differences. Look it up in your code.')
    },
  },
]

async function refuses(
  stage: Stage,
  sent: string,
  signatures: (stage: Stage, digest: string) => ReadonlyArray<string | null>,
): Promise<Judgement> {
  const made = stage.make.any()
  const answers: Answer[] = []
  for (const signature of signatures(stage, stage.digest(made)))
    answers.push(await stage.forge(made, signature))
  return judgedBy(answers, sent)
}

/** Whatever is not accepted counts as refused here. */
function judgedBy(answers: readonly Answer[], sent: string): Judgement {
  const accepted = answers.filter(isAccepted)
  const seen = [...new Set((accepted.length > 0 ? accepted : answers).map(told))].join('; ')
  return judged(accepted.length === 0, sent, seen)
}
