import { isObject, type Json, list, object, sortedEntries } from '../../contract/json.ts'
import type { Side } from './side.ts'
import type { Types } from './types.ts'

/** Compares what concerns all requests: the key, the servers and the stability of the API. */
export function compareService({ before, after, findings }: Types): void {
  const users = after.api.operations.map(({ id }) => id)
  const add = (kind: string, key: string, pointer: string, from?: string, to?: string) =>
    findings.add({
      kind,
      key,
      before: before.at(pointer) === undefined ? null : pointer,
      after: after.at(pointer) === undefined ? null : pointer,
      subject: { of: 'other', name: key },
      named: 'before',
      values: { ...(from && { before: from }), ...(to && { after: to }) },
      users,
    })

  const [old, now] = [before.api.credential, after.api.credential]
  const security = '/components/securitySchemes'
  if (!old && now) add('security-added', 'security', security)
  if (old && !now) add('security-removed', 'security', security)
  if (old && now && (old.header !== now.header || old.prefix !== now.prefix)) {
    const told = ({ header, prefix }: typeof old) => `${header}: ${prefix}KEY`
    const isHeader = old.prefix === now.prefix
    if (isHeader) add('security-header-renamed', 'security', security, old.header, now.header)
    else add('security-scheme-changed', 'security', security, told(old), told(now))
  } else if (old && now) {
    // The SDKs send the same credential, so these are further ways to authenticate.
    const [offered, offers] = [schemesOf(before), schemesOf(after)]
    for (const [scheme, name] of offers) {
      if (offered.has(scheme)) continue
      add('security-alternative-added', `security ${name}`, '/security', undefined, name)
    }
    for (const [scheme, name] of offered) {
      if (offers.has(scheme)) continue
      add('security-alternative-removed', `security ${name}`, '/security', name)
    }
  }

  if (before.api.stability === 'preview' && after.api.stability === 'stable') {
    add('api-stabilized', 'stability', '/x-stability')
  }
  compareServers(before, after, add)
}

/** The names of the schemes that a request needs, by what the schemes say. */
function schemesOf({ document }: Side): Map<string, string> {
  const schemes = object(object(document.components).securitySchemes)
  return new Map(
    list(document.security)
      .map((requirement) => Object.keys(object(requirement)).sort())
      .map((names) => [
        JSON.stringify(
          names.map((name) => sortedEntries({ ...object(schemes[name]), description: null })),
        ),
        names.join(' and '),
      ]),
  )
}

/** The kinds, locations and texts of changes. */
type Add = (kind: string, key: string, pointer: string, from?: string, to?: string) => void

function compareServers(before: Side, after: Side, add: Add): void {
  const [old, now] = [serversOf(before), serversOf(after)]
  const gone = [...old].filter(([url]) => !now.has(url))
  const come = [...now].filter(([url]) => !old.has(url))
  const [[from, server] = [], [to] = []] = [gone[0], come[0]]
  const isOne = gone.length === 1 && come.length === 1
  if (isOne && from !== undefined && to !== undefined && server && !isAssumed(server)) {
    add('server-changed', `server ${from}`, '/servers', from, to)
    return
  }
  for (const [url, node] of gone) {
    // Nobody relied on an address that was an assumption.
    if (!isAssumed(node)) add('server-removed', `server ${url}`, '/servers', url)
  }
  for (const [url] of come) add('server-added', `server ${url}`, '/servers', undefined, url)
}

/** Servers by their URLs, variables replaced by their defaults. */
function serversOf({ document }: Side): Map<string, Json> {
  return new Map(
    list(document.servers)
      .filter(isObject)
      .map((server) => {
        const variables = object(server.variables)
        const url = String(server.url).replace(/\{(\w+)\}/g, (all, name: string) =>
          String(object(variables[name]).default ?? all),
        )
        return [url.replace(/\/$/, ''), server]
      }),
  )
}

function isAssumed(server: Json): boolean {
  const parts = [server, ...Object.values(object(server.variables)).map(object)]
  return parts.some((part) => 'x-assumed' in part)
}
