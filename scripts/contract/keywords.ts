// The treatment of every OpenAPI keyword. A keyword that is not read is either harmless, for one of the
// reasons below, or refused, so that nothing is lost silently.

/**
 * - `type`: gives a schema its type.
 * - `read`: says more about a type, a field, a request or a response.
 * - `text`: is text for readers.
 * - `validation`: narrows the valid values. Only the server checks them. An SDK that did would refuse
 *   values that a later version of the API accepts.
 * - `tools`: is for other programs and does not affect requests or responses.
 */
export type Harmless = 'type' | 'read' | 'text' | 'validation' | 'tools'

/** Why the generator refuses a keyword, and the fix. */
export interface Refusal {
  message: string
  fix: string
  /** The value that says the same as no keyword. */
  unless?: unknown
}

export type Fate = Harmless | Refusal

const allowReserved: Refusal = {
  message: 'no SDK can send a value unencoded',
  fix: 'Remove "allowReserved": the SDKs encode every value',
  unless: false,
}

const dynamic: Refusal = {
  message: 'no SDK can express a dynamic reference',
  fix: 'Use $ref',
}

/** The treatment of each keyword, by the kind of OpenAPI object that contains it. */
export const FATES = {
  Root: fates({
    read: 'openapi security paths webhooks components',
    text: 'info tags',
    // The base URL is an option of every client.
    tools: 'servers externalDocs jsonSchemaDialect',
  }),
  PathItem: fates({
    read: '$ref servers parameters get put post delete options head patch trace',
    text: 'summary description',
  }),
  Operation: fates({
    read: 'servers parameters requestBody responses security deprecated callbacks',
    text: 'tags summary description',
    tools: 'externalDocs operationId',
  }),
  Parameter: fates(
    {
      read: 'name in required deprecated style explode schema content',
      text: 'description example examples',
      validation: 'allowEmptyValue',
    },
    { allowReserved },
  ),
  RequestBody: fates({ read: 'content required', text: 'description' }),
  MediaType: fates({ read: 'schema encoding', text: 'example examples' }),
  Encoding: fates(
    { read: 'contentType style explode' },
    {
      allowReserved,
      headers: {
        message: 'no SDK sends headers with a part of a form',
        fix: 'Remove the headers, or send their values in fields',
      },
    },
  ),
  // All languages hand out the raw response with its headers.
  Response: fates({ read: 'content', text: 'description', tools: 'headers links' }),
  Schema: fates(
    {
      type: `$ref type allOf anyOf oneOf properties patternProperties additionalProperties
        unevaluatedProperties items enum const format contentEncoding contentMediaType`,
      // Of conditions, that they describe no fields which the schema itself does not.
      read: `nullable required discriminator default readOnly writeOnly deprecated then else
        dependentSchemas`,
      text: 'title summary description example examples',
      validation: `multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength
        pattern maxItems minItems uniqueItems contains maxContains minContains maxProperties
        minProperties propertyNames dependentRequired contentSchema not if unevaluatedItems`,
      // A $ref may lead into definitions; it is resolved from the file that it stands in.
      tools: `$defs definitions $anchor $dynamicAnchor $id id $schema $vocabulary $comment
        externalDocs xml`,
    },
    {
      prefixItems: {
        message: 'the SDKs have no lists whose items differ by position',
        fix: 'Use an object with named fields',
      },
      $dynamicRef: dynamic,
      $recursiveRef: dynamic,
    },
  ),
  Discriminator: fates({ read: 'propertyName mapping' }),
  // How a token is got is not the SDKs' business; they are given one.
  SecurityScheme: fates({
    read: 'type name in scheme',
    text: 'description',
    tools: 'bearerFormat flows openIdConnectUrl',
  }),
} as const

function fates(
  harmless: Partial<Record<Harmless, string>>,
  refused: Readonly<Record<string, Refusal>> = {},
): ReadonlyMap<string, Fate> {
  const entries = Object.entries(harmless) as Array<[Harmless, string]>
  return new Map<string, Fate>([
    ...entries.flatMap(([fate, keywords]) =>
      keywords.split(/\s+/).map((keyword): [string, Fate] => [keyword, fate]),
    ),
    ...Object.entries(refused),
  ])
}
