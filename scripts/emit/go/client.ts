import type { Api, Resource } from '../../model/types.ts'
import { hasEvents } from '../core/events.ts'
import type { OutFile, Sources } from '../core/file.ts'
import { GoFile } from './file.ts'
import { serviceField, serviceType } from './naming.ts'

/** The package comment, and the client with a field per top-level resource. */
export function emitClient(api: Api, sources: Sources): OutFile {
  const { platform, resources } = api
  const { title, goPackage } = platform
  const file = new GoFile('client', sources.contract, goPackage)
  file.about(
    `Package ${goPackage} is the Go client of the ${title} API.`,
    '[NewClient] returns a [Client], whose fields are the resources of the API. [errors.As] finds an ' +
      '[APIError] or one of its kinds, an [APIConnectionError] or an [InvalidResponseError] in an ' +
      'error of a call. Each of them is an [Error] too.',
    hasEvents(api) ? '[WebhookHandler] receives events, which [NewWebhooks] verifies.' : '',
  )
  file.doc(`Client is the client of the ${title} API.`)
  file.block('type Client struct {', () => serviceFields(resources, true, file), '}').lines('')
  const fields = () => {
    assignServices(resources, file)
    file.lines('api: a,')
  }
  const construct = () => file.block('return &Client{', fields, '}')
  return file.block('func newClient(a *api) *Client {', construct, '}').finish()
}

/** The fields of a struct that leads to resources. */
export function serviceFields(resources: readonly Resource[], calls: boolean, file: GoFile): void {
  for (const resource of resources)
    file.lines(`${serviceField(resource)} *${serviceType(resource)}`)
  if (calls && resources.length > 0) file.lines('')
  if (calls) file.lines('api *api')
}

function assignServices(resources: readonly Resource[], file: GoFile): void {
  for (const resource of resources) {
    const start = `${serviceField(resource)}: &${serviceType(resource)}{`
    if (resource.children.length === 0) {
      file.lines(`${start}api: a},`)
      continue
    }
    const fields = () => {
      assignServices(resource.children, file)
      if (resource.operations.length > 0) file.lines('api: a,')
    }
    file.block(start, fields, '},')
  }
}
