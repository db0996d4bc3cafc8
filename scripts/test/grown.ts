// Our contract, with one of everything more. All of it stands first and sorts first.

const AGENTS = `  /v1/agents:
    get:
      operationId: listAgents
      x-sdk-method: agents.list
      x-assumed: Only a test has it.
      tags: [Agents]
      summary: List agents
      description: Lists the agents of your team.
      responses:
        "200":
          description: The agents.
          headers: { X-Request-Id: { $ref: "#/components/headers/RequestId" } }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/AgentList" }
              examples:
                agents: { summary: The team, value: { data: [{ id: agt_01J2Z8M3VN, name: Mina }] } }
        "401": { $ref: "#/components/responses/Unauthorized" }
        "403": { $ref: "#/components/responses/Forbidden" }
        "429": { $ref: "#/components/responses/TooManyRequests" }
        "500": { $ref: "#/components/responses/InternalServerError" }
        "503": { $ref: "#/components/responses/ServiceUnavailable" }
        default: { $ref: "#/components/responses/Unexpected" }
`

const ARCHIVED = `  conversation.archived:
    post:
      operationId: conversationArchived
      x-assumed: Only a test has it.
      tags: [Events]
      summary: A conversation was archived
      description: Sent when a conversation is archived.
      security: [{ webhookSignature: [] }]
      parameters:
        - $ref: "#/components/parameters/WebhookSignature"
        - $ref: "#/components/parameters/WebhookEvent"
      requestBody:
        description: The event.
        required: true
        content:
          application/json:
            schema: { $ref: "#/components/schemas/ConversationArchivedEvent" }
            examples:
              archived:
                summary: Archived
                value:
                  event: conversation.archived
                  id: evt_01J2Z8M40X
                  occurred_at: "2026-03-03T09:14:07Z"
                  data: { archived_at: "2026-03-03T09:14:07Z", conversation_id: conv_01J2YXC9TB }
      responses:
        2XX: { $ref: "#/components/responses/EventReceived" }
        4XX: { $ref: "#/components/responses/EventRefused" }
        5XX: { $ref: "#/components/responses/EventFailed" }
`

const SCHEMAS = `    Agent:
      type: object
      x-assumed: Only a test has it.
      description: An agent of your team.
      required: [id, name]
      properties:
        id: { type: string, description: Identifies the agent. }
        name: { type: string, description: The name of the agent. }
    AgentList:
      type: object
      x-assumed: Only a test has it.
      description: The agents of a team.
      required: [data]
      properties:
        data:
          type: array
          description: The agents.
          items: { $ref: "#/components/schemas/Agent" }
    ConversationArchivedData:
      type: object
      x-assumed: Only a test has it.
      description: The archived conversation.
      required: [archived_at, conversation_id]
      properties:
        archived_at: { type: string, format: date-time, description: The time of the archiving. }
        conversation_id: { type: string, description: The conversation's identifier. }
    ConversationArchivedEvent:
      x-assumed: Only a test has it.
      description: A conversation was archived.
      allOf:
        - $ref: "#/components/schemas/EventEnvelope"
        - type: object
          required: [event, data]
          properties:
            event: { type: string, const: conversation.archived }
            data: { $ref: "#/components/schemas/ConversationArchivedData" }
`

const ADDED: ReadonlyArray<[what: string, after: RegExp, text: string]> = [
  ['a tag', /^tags:\n/m, '  - { name: Agents, description: Your team. }\n'],
  ['an operation', /^paths:\n/m, AGENTS],
  ['an event', /^webhooks:\n/m, ARCHIVED],
  ['schemas', /^ {2}schemas:\n/m, SCHEMAS],
  [
    'an optional field',
    /^ {4}Conversation:\n(?: {5,}.*\n)*? +properties:\n/m,
    '            about: { type: string, description: What the conversation is about. }\n',
  ],
  ['a value', /^ {4}ConversationStatus:\n(?: {5,}.*\n)*? {6}enum: \[/m, 'archived, '],
]

/** The document with an event, an operation, an optional field and an enum value more. */
export function grown(document: string): string {
  return ADDED.reduce((text, [what, after, added]) => {
    if (!after.test(text)) throw new Error(`The contract has no place for ${what}.`)
    return text.replace(after, (found) => found + added)
  }, document)
}
