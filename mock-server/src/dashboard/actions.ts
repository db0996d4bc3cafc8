/** The actions of the forms. */
import { advanceBy } from '../control/clock.ts'
import { checkUrl } from '../control/endpoint-url.ts'
import { ownerOf } from '../sandbox/sandboxes.ts'
import { STATES } from '../store/types.ts'
import { pathWithSecret } from './endpoints.ts'
import { ruleIn } from './faults.ts'
import { addressOf, timeIn } from './fields.ts'
import { type Form, ratingsOf } from './form.ts'
import { BASE, pathOf } from './parts.ts'
import type { Visit } from './visit.ts'

export interface Submission extends Visit {
  form: Form
}

/** Resolves to the address to redirect to, so that a reload does not repeat the action. */
type Action = (submission: Submission) => Promise<string>

/** The notice after an action, by the `done` parameter of the address. */
export const NOTICES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    created: 'Conversation created.',
    message: 'Message sent.',
    handoff: 'Conversation handed off.',
    resolved: 'Conversation resolved.',
    csat: 'Rating saved.',
    triggered: 'Event sent.',
    replayed: 'Delivery replayed.',
    all: 'Deliveries replayed.',
    retried: 'Delivery attempted.',
    cancelled: 'Delivery cancelled.',
    paused: 'Deliveries paused. They wait until you resume them.',
    resumed: 'Deliveries resumed.',
    disabled: 'Endpoint disabled. Events that happen now are not for it.',
    enabled: 'Endpoint enabled.',
    repeated: 'Request repeated. This is the new one.',
    advanced: 'Clock advanced. All attempts that became due have been made.',
    removed: 'Endpoint and its deliveries removed.',
    faulty: 'Fault rule added.',
    faultless: 'Fault rule removed.',
    cleared: 'All fault rules removed.',
    taken: 'Snapshot taken.',
    restored: 'Sandbox restored.',
    forgotten: 'Snapshot removed.',
    reset: 'Sandbox reset.',
    key: 'Switched to the sandbox of this key.',
    revision: 'Revision of this key chosen.',
  }),
)

const AUTHORS = ['visitor', 'agent'] as const
const STEPS = ['PT1H', 'PT24H'] as const

/** The pages of forms whose address does not begin with that of their page. */
export const PAGES_OF: Readonly<Record<string, string>> = {
  [`${BASE}/trigger`]: `${BASE}/events`,
  [`${BASE}/replay`]: `${BASE}/deliveries`,
  [`${BASE}/revision`]: `${BASE}/contract`,
  [`${BASE}/faults/{id}/remove`]: `${BASE}/faults`,
  [`${BASE}/snapshots/{name}/restore`]: `${BASE}/snapshots`,
  [`${BASE}/snapshots/{name}/remove`]: `${BASE}/snapshots`,
  [`${BASE}/endpoints/{id}/rotate`]: `${BASE}/endpoints`,
  [`${BASE}/endpoints/{id}/disable`]: `${BASE}/endpoints`,
  [`${BASE}/endpoints/{id}/enable`]: `${BASE}/endpoints`,
  [`${BASE}/endpoints/{id}/remove`]: `${BASE}/endpoints`,
}

/** By path. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  [`${BASE}/conversations`]: async ({ sandboxes, sandbox, form }) => {
    const first = { name: form.optional('name'), text: form.optional('text') }
    const { id } = await sandboxes.life.create(sandbox, first)
    return `${pathOf.conversation(id)}?done=created`
  },
  [`${BASE}/conversations/{id}/messages`]: async ({ sandboxes, sandbox, path, form }) => {
    const { id = '' } = path
    const author = form.choice('author', AUTHORS)
    await sandboxes.life.message(sandbox, id, { author, text: form.required('text') })
    return `${pathOf.conversation(id)}?done=message`
  },
  [`${BASE}/conversations/{id}/handoff`]: async ({ sandboxes, sandbox, path, form }) => {
    const { id = '' } = path
    await sandboxes.life.handoff(sandbox, id, form.required('reason'))
    return `${pathOf.conversation(id)}?done=handoff`
  },
  [`${BASE}/conversations/{id}/resolve`]: async ({ sandboxes, sandbox, path: { id = '' } }) => {
    await sandboxes.life.resolve(sandbox, id)
    return `${pathOf.conversation(id)}?done=resolved`
  },
  [`${BASE}/conversations/{id}/csat`]: async ({ sandboxes, sandbox, path, form, limits }) => {
    const { id = '' } = path
    const rating = Number(form.choice('rating', ratingsOf(limits)))
    await sandboxes.life.csat(sandbox, id, { rating, comment: form.optional('comment') })
    return `${pathOf.conversation(id)}?done=csat`
  },
  [`${BASE}/trigger`]: async ({ sandboxes, sandbox, form }) => {
    const kind = form.choice('kind', sandboxes.bindings.forms.description.kinds)
    const { id } = await sandboxes.life.emit(sandbox, kind, form.object('data'))
    return `${pathOf.event(id)}?done=triggered`
  },
  [`${BASE}/deliveries/{id}/replay`]: async ({ sandboxes, sandbox, path: { id = '' } }) => {
    await sandboxes.deliveries.replay(sandbox, id)
    return `${pathOf.delivery(id)}?done=replayed`
  },
  [`${BASE}/deliveries/{id}/retry`]: async ({ sandboxes, sandbox, path: { id = '' } }) => {
    await sandboxes.deliveries.retry(sandbox, id)
    return `${pathOf.delivery(id)}?done=retried`
  },
  [`${BASE}/deliveries/{id}/cancel`]: async ({ sandboxes, sandbox, path: { id = '' } }) => {
    await sandboxes.deliveries.cancel(sandbox, id)
    return `${pathOf.delivery(id)}?done=cancelled`
  },
  [`${BASE}/deliveries/pause`]: async ({ sandboxes, sandbox }) => {
    await sandboxes.deliveries.pause(sandbox)
    return `${BASE}/deliveries?done=paused`
  },
  [`${BASE}/deliveries/resume`]: async ({ sandboxes, sandbox }) => {
    await sandboxes.deliveries.resume(sandbox)
    return `${BASE}/deliveries?done=resumed`
  },
  [`${BASE}/replay`]: async ({ sandboxes, sandbox, form }) => {
    const { state, kind, endpoint, event, delivery, since, until } = form.texts
    const chosen = { state: STATES.find((one) => one === state), kind, endpoint, event, delivery }
    const times = { since: timeIn(since), until: timeIn(until) }
    await sandboxes.deliveries.replayAll(sandbox, { ...chosen, ...times })
    // Those that were dead are pending now.
    return addressOf(`${BASE}/deliveries`, {
      kind,
      endpoint,
      event,
      delivery,
      since,
      until,
      done: 'all',
    })
  },
  [`${BASE}/requests/{id}/repeat`]: async ({ requests, key, path, form }) => {
    const keepsKey = form.texts.keeps_key === 'true'
    const made = await requests.repeat(await requests.get(key, path.id ?? ''), keepsKey)
    return `${pathOf.request(made.findings.id ?? '')}?done=repeated`
  },
  [`${BASE}/endpoints`]: async (submission) => {
    const { sandboxes, sandbox, form } = submission
    const url = form.required('url')
    checkUrl(url)
    const kinds = form.choices('events', sandboxes.bindings.forms.description.kinds)
    const secret = form.optional('secret')
    const added = await sandboxes.endpoints.add(sandbox, {
      url,
      kinds: kinds.length > 0 ? kinds : null,
      revision: sandboxes.revision,
      ...(secret !== undefined && { secret }),
    })
    return pathWithSecret(submission, added)
  },
  [`${BASE}/endpoints/{id}/rotate`]: async (submission) => {
    const { sandboxes, sandbox, path } = submission
    return pathWithSecret(submission, await sandboxes.endpoints.rotate(sandbox, path.id ?? ''))
  },
  [`${BASE}/endpoints/{id}/disable`]: async ({ sandboxes, sandbox, path: { id = '' } }) => {
    await sandboxes.endpoints.disable(sandbox, id, true)
    return `${BASE}/endpoints?done=disabled`
  },
  [`${BASE}/endpoints/{id}/enable`]: async ({ sandboxes, sandbox, path: { id = '' } }) => {
    await sandboxes.endpoints.disable(sandbox, id, false)
    return `${BASE}/endpoints?done=enabled`
  },
  [`${BASE}/endpoints/{id}/remove`]: async ({ sandboxes, sandbox, path: { id = '' } }) => {
    await sandboxes.endpoints.remove(sandbox, id)
    await sandboxes.prune()
    return `${BASE}/endpoints?done=removed`
  },
  [`${BASE}/faults`]: async ({ faults, paths, sandbox, form }) => {
    await faults.rules.add(ownerOf(sandbox), ruleIn(form), paths)
    return `${BASE}/faults?done=faulty`
  },
  [`${BASE}/faults/clear`]: async ({ faults, sandbox }) => {
    await faults.rules.clear(ownerOf(sandbox))
    return `${BASE}/faults?done=cleared`
  },
  [`${BASE}/faults/{id}/remove`]: async ({ faults, sandbox, path: { id = '' } }) => {
    await faults.rules.remove(ownerOf(sandbox), id)
    return `${BASE}/faults?done=faultless`
  },
  [`${BASE}/snapshots`]: async ({ sandboxes, sandbox, form }) => {
    await sandboxes.snapshots.take(sandbox, form.required('snapshot').trim())
    return `${BASE}/snapshots?done=taken`
  },
  [`${BASE}/snapshots/{name}/restore`]: async ({ sandboxes, sandbox, path: { name = '' } }) => {
    await sandboxes.snapshots.restore(sandbox, name)
    return `${BASE}/snapshots?done=restored`
  },
  [`${BASE}/snapshots/{name}/remove`]: async ({ sandboxes, sandbox, path: { name = '' } }) => {
    await sandboxes.snapshots.remove(sandbox, name)
    return `${BASE}/snapshots?done=forgotten`
  },
  [`${BASE}/clock`]: async ({ sandboxes, sandbox, form }) => {
    await advanceBy(sandboxes, sandbox, form.choice('advance', STEPS))
    return `${BASE}/deliveries?done=advanced`
  },
  [`${BASE}/revision`]: async ({ sandboxes, sandbox, form }) => {
    const names = sandboxes.revisions.map(({ name }) => name)
    await sandboxes.choose(sandbox, form.choice('name', names))
    return `${BASE}/contract?done=revision`
  },
  [`${BASE}/reset`]: async ({ sandboxes, sandbox, requests, key }) => {
    await sandboxes.reset(sandbox)
    await requests.clear(key)
    return '/?done=reset'
  },
}
