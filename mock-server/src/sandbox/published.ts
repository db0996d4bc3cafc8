/**
 * What the documents of this package say about the contract: the control API, and the schemas of seeds and
 * scenarios. Their templates have the rest.
 */
import { object, type Schema } from '../contract/document.ts'
import { fill, plain } from '../contract/plain.ts'
import { isOfType, type Shape } from '../contract/shape.ts'
import { type Bindings, partOf, wireName } from './bindings.ts'
import { FUTURE, FUTURE_KIND } from './future.ts'
import type { Kind } from './samples.ts'

/** The documents without what the contract says. */
export interface Templates {
  control: object
  seed: object
  scenario: object
}

/** By the names that the templates give them. */
export type Facts = Readonly<Record<string, Schema>>

/** Fills the templates with the facts of a contract. */
export function publish(templates: Templates, bindings: Bindings): Templates {
  const facts = factsOf(bindings)
  return {
    control: fill(templates.control, facts) as object,
    seed: fill(templates.seed, facts) as object,
    scenario: fill(templates.scenario, facts) as object,
  }
}

/** What the templates need of a contract. */
export function factsOf(bindings: Bindings): Facts {
  const { description } = bindings.forms
  const whole = bindings.operation('get')?.form?.shape
  const create = bindings.operation('createMessage')
  const dataOf = (kind: Kind) => partOf(bindings.events.get(kind)?.form.shape, 'data')
  const message = bindings.parts.message.shape
  const { kinds } = description
  return {
    kind: { type: 'string', ...(kinds.length > 0 && { enum: kinds }) },
    triggered: { type: 'string', enum: [...new Set([...kinds, FUTURE])] },
    listed: { type: 'string', enum: [...new Set([...kinds, FUTURE_KIND])] },
    event: eventOf(bindings),
    summary: shown(bindings.parts.conversation.shape),
    message: shown(message),
    text: limitsOf(partOf(create?.body?.shape, 'text')),
    name: limitsOf(partOf(partOf(message, 'author'), 'name')),
    reason: limitsOf(partOf(dataOf('conversation.handoff'), 'reason')),
    rating: limitsOf(partOf(dataOf('conversation.csat'), 'rating')),
    comment: limitsOf(partOf(dataOf('conversation.csat'), 'comment')),
    conversation_id: idForm(bindings),
    conversation: whole ? seedSchema(whole, bindings) : { type: 'object' },
  }
}

function shown(shape: Shape): Schema {
  return { type: 'object', ...withoutTexts(plain(shape)) }
}

/** The rules of a value, without its description. */
function limitsOf(shape: Shape | undefined): Schema {
  const { description: _, ...limits } = shape ? plain(shape) : {}
  return limits
}

/** How ids of conversations look as text, as far as the contract shows it. */
function idForm({ prefixes, idShapes }: Bindings): Schema {
  const shape = idShapes.conversation
  if (prefixes.conversation !== '') return { pattern: `^${prefixes.conversation}` }
  if (shape?.schema.format === 'uuid') return { pattern: '^[0-9A-Fa-f-]{36}$' }
  const isText = !shape || shape.types.length === 0 || isOfType(shape, 'text')
  return isText ? {} : { pattern: '^[0-9]+$' }
}

/** The envelope that all events share. */
function eventOf({ forms }: Bindings): Schema {
  const [first, ...others] = forms.description.events.map(({ content }) =>
    forms.shapes.of(content.schema),
  )
  if (!first) return { type: 'object' }
  const schema = shown(first)
  const isShared = (name: string) => others.every(({ properties }) => properties.has(name))
  const isData = (name: string) => name === wireName(first, 'data')
  const isKind = (name: string) => name === wireName(first, 'event')
  const shapeOf = (name: string, part: unknown) => {
    // The log also has the events of former contracts, and those that no contract has.
    if (isKind(name)) return { type: 'string' }
    return isData(name) ? { type: 'object' } : part
  }
  return {
    ...schema,
    required: ((schema.required ?? []) as string[]).filter(isShared),
    properties: Object.fromEntries(
      Object.entries(object(schema.properties))
        .filter(([name]) => isShared(name))
        .map(([name, part]) => [name, shapeOf(name, part)]),
    ),
  }
}

/** A conversation in a seed file: whole, without unknown fields, and with ids like the sandbox's. */
function seedSchema(whole: Shape, bindings: Bindings): Schema {
  const schema = plain(whole, { isClosed: true })
  const messages = partOf(whole, 'transcript')
  const withPattern = (node: Schema, shape: Shape | undefined, prefix: string) => {
    const id = object(object(node.properties)[wireName(shape, 'id') ?? ''])
    if (id.type === 'string' && prefix !== '') Object.assign(id, { pattern: `^${prefix}` })
  }
  const { conversation, message } = bindings.prefixes
  withPattern(schema, whole, conversation)
  const transcript = object(object(schema.properties)[wireName(whole, 'transcript') ?? ''])
  withPattern(object(transcript.items), messages?.items?.(), message)
  return schema
}

/** A schema without its prose, which stands in the contract. */
function withoutTexts(schema: Schema): Schema {
  const { description: _, ...rest } = schema
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => {
      if (key === 'properties') {
        const parts = Object.entries(object(value)).map(([name, part]) => [
          name,
          withoutTexts(object(part)),
        ])
        return [key, Object.fromEntries(parts)]
      }
      if (key === 'items') return [key, withoutTexts(object(value))]
      if (key === 'oneOf') return [key, (value as Schema[]).map(withoutTexts)]
      return [key, value]
    }),
  )
}
