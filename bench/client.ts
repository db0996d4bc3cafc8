// What a client costs per call, beyond the fetch it stands on: every contender gets the same stubbed
// fetch, which responds immediately, and reads the response as JSON.

import { type paths, SupportChat } from '@support-chat/sdk'
import OpenAI from 'openai'
import createClient from 'openapi-fetch'
import Stripe from 'stripe'
import { median, noise, type Round, race } from './measure.ts'
import { type Budget, digits, percent, report, times } from './report.ts'

const baseURL = 'http://bench.invalid'
const apiKey = 'sk_test_bench'
const id = 'conv_01J2Z8M3VN'
const message = { text: 'The carrier left it with your neighbour at number 12.' }

// A conversation and a message of the contract in one, and an object of the others' APIs.
const responseBody = JSON.stringify({
  id,
  object: 'message',
  created_at: '2026-03-02T09:23:50Z',
  updated_at: '2026-03-02T09:23:50Z',
  status: 'open',
  transcript: [],
  handoff: null,
  conversation_id: id,
  author: { type: 'agent', name: 'Mina' },
  ...message,
})
const responseHeaders = { 'content-type': 'application/json', 'x-request-id': 'req_bench' }
const fetch = async () => new Response(responseBody, { headers: responseHeaders })

const ours = new SupportChat({ apiKey, baseURL, fetch })
const openapiFetch = createClient<paths>({
  baseUrl: baseURL,
  fetch,
  headers: { authorization: `Bearer ${apiKey}` },
})
const stripe = new Stripe(apiKey, {
  httpClient: Stripe.createFetchHttpClient(fetch),
  telemetry: false,
})
const openai = new OpenAI({ apiKey, baseURL, fetch })

async function bareFetch(method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const init = { method, headers, body: body && JSON.stringify(body) }
  const response = await (fetch as typeof globalThis.fetch)(`${baseURL}${path}`, init)
  return response.json()
}

const params = { path: { id } }
const get = await race({
  bare: () => bareFetch('GET', `/v1/conversations/${encodeURIComponent(id)}`),
  openapiFetch: () => openapiFetch.GET('/v1/conversations/{id}', { params }),
  ours: () => ours.conversations.get(id),
  stripe: () => stripe.customers.retrieve(id),
  openai: () => openai.models.retrieve(id),
})
const post = await race({
  bare: () => bareFetch('POST', `/v1/conversations/${encodeURIComponent(id)}/messages`, message),
  openapiFetch: () =>
    openapiFetch.POST('/v1/conversations/{id}/messages', { params, body: message }),
  ours: () => ours.conversations.messages.create(id, message),
  stripe: () => stripe.customers.create({ description: message.text }),
  openai: () => openai.moderations.create({ input: message.text }),
})

type Name = keyof (typeof get)[number]
type Client = Exclude<Name, 'bare'>

const overhead = (rounds: Round<Name>[], name: Client) =>
  rounds.map((round) => round[name] - round.bare)
const compared = (rounds: Round<Name>[], name: Client, to: Client) =>
  median(rounds.map((round) => (round[name] - round.bare) / (round[to] - round.bare)))

const labels: Record<Client, string> = {
  ours: '**@support-chat/sdk**',
  openapiFetch: 'openapi-fetch alone',
  stripe: 'stripe',
  openai: 'openai',
}
const rows = (Object.keys(labels) as Client[]).map((name) => [
  labels[name],
  ...[get, post].flatMap((rounds) => {
    const cost = overhead(rounds, name)
    return [
      digits(median(cost)),
      percent(noise(cost)),
      times(compared(rounds, name, 'openapiFetch')),
    ]
  }),
])

const budgets = Object.entries({ GET: get, POST: post }).flatMap(([method, rounds]): Budget[] => [
  {
    what: `${method}, ours to openapi-fetch alone`,
    actual: compared(rounds, 'ours', 'openapiFetch'),
    limit: 1.2,
    keep: 'at most',
  },
  {
    what: `${method}, ours to stripe`,
    actual: compared(rounds, 'ours', 'stripe'),
    limit: 0.5,
    keep: 'at most',
  },
])

report(
  [
    'over the bare fetch, per call',
    'GET µs',
    'noise',
    'to openapi-fetch',
    'POST µs',
    'noise',
    'to openapi-fetch',
  ],
  rows,
  budgets,
)
