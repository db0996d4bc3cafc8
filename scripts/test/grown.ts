// Our contract, with one of everything more. All of it stands first and sorts first.

const ACORNS = `  /v1/acorns:
    x-assumed: Only a test has it.
    get:
      operationId: listAcorns
      x-sdk-method: acorns.list
      tags: [Acorns]
      summary: List acorns
      description: Lists all acorns.
      responses:
        "200":
          description: The acorns.
          headers: { X-Request-Id: { $ref: "#/components/headers/RequestId" } }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/AcornList" }
              examples:
                acorns: { summary: One acorn, value: { data: [{ id: acorn_1, name: Mina }] } }
        "401": { $ref: "#/components/responses/Unauthorized" }
        "403": { $ref: "#/components/responses/Forbidden" }
        "429": { $ref: "#/components/responses/TooManyRequests" }
        "500": { $ref: "#/components/responses/InternalServerError" }
        "503": { $ref: "#/components/responses/ServiceUnavailable" }
        default: { $ref: "#/components/responses/Unexpected" }
`

const EVENT = `  conversation.acorn:
    x-assumed: Only a test has it.
    post:
      operationId: conversationAcorn
      tags: [Events]
      summary: A conversation got an acorn
      description: Sent when a conversation gets an acorn.
      security: [{ webhookSignature: [] }]
      parameters:
        - $ref: "#/components/parameters/WebhookSignature"
        - $ref: "#/components/parameters/WebhookEvent"
      requestBody:
        description: The event.
        required: true
        content:
          application/json:
            schema: { $ref: "#/components/schemas/ConversationAcornEvent" }
            examples:
              acorn:
                summary: An acorn
                value:
                  event: conversation.acorn
                  id: evt_01J2Z8M40X
                  occurred_at: "2026-03-03T09:14:07Z"
                  data: { acorn_at: "2026-03-03T09:14:07Z", conversation_id: conv_01J2YXC9TB }
      responses:
        2XX: { $ref: "#/components/responses/EventReceived" }
        4XX: { $ref: "#/components/responses/EventRefused" }
        5XX: { $ref: "#/components/responses/EventFailed" }
`

const SCHEMAS = `    Acorn:
      type: object
      x-assumed: Only a test has it.
      description: An acorn.
      required: [id, name]
      properties:
        id: { type: string, description: Identifies the acorn. }
        name: { type: string, description: The name of the acorn. }
    AcornList:
      type: object
      x-assumed: Only a test has it.
      description: All acorns.
      required: [data]
      properties:
        data:
          type: array
          description: The acorns.
          items: { $ref: "#/components/schemas/Acorn" }
    ConversationAcornData:
      type: object
      x-assumed: Only a test has it.
      description: The conversation with an acorn.
      required: [acorn_at, conversation_id]
      properties:
        acorn_at: { type: string, format: date-time, description: The time of the acorn. }
        conversation_id: { type: string, description: The conversation's identifier. }
    ConversationAcornEvent:
      x-assumed: Only a test has it.
      description: A conversation got an acorn.
      allOf:
        - $ref: "#/components/schemas/EventEnvelope"
        - type: object
          required: [event, data]
          properties:
            event: { type: string, const: conversation.acorn }
            data: { $ref: "#/components/schemas/ConversationAcornData" }
`

const ADDED: ReadonlyArray<[what: string, after: RegExp, text: string]> = [
  ['a tag', /^tags:\n/m, '  - { name: Acorns, description: All acorns. }\n'],
  ['an operation', /^paths:\n/m, ACORNS],
  ['an event', /^webhooks:\n/m, EVENT],
  ['schemas', /^ {2}schemas:\n/m, SCHEMAS],
  [
    'an optional field',
    /^ {4}Conversation:\n(?: {5,}.*\n)*? +properties:\n/m,
    '            acorn: { type: string, description: The acorn. }\n',
  ],
  ['a value', /^ {4}ConversationStatus:\n(?: {5,}.*\n)*? {6}enum: \[/m, 'acorn, '],
]

/** For a contract that has grown before, another word. It sorts before the first. */
const WORDS = ['acorn', 'acacia']

/** The document with an event, an operation, an optional field and an enum value more. */
export function grown(document: string): string {
  const word = WORDS.find((one) => !document.includes(one))
  if (!word) throw new Error('The contract has grown too often.')
  return ADDED.reduce((text, [what, after, added]) => {
    if (!after.test(text)) throw new Error(`The contract has no place for ${what}.`)
    return text.replace(after, (found) => found + named(word, added))
  }, document)
}

function named(word: string, text: string): string {
  const capitalized = word.replace(/^./, (letter) => letter.toUpperCase())
  return text.replaceAll('acorn', word).replaceAll('Acorn', capitalized)
}
