import type { Api, Family } from '../../model/types.ts'
import { header, type OutFile, type Sources } from '../core/file.ts'
import type { Language } from '../core/language.ts'
import { anchor, blocks, code, inline, table } from '../core/markdown.ts'
import { assumptionsPage } from './assumptions.ts'
import { operationTitle, resourceFile, resourcePage, under } from './operations.ts'
import { promisesPage } from './promises.ts'
import { schemasPage } from './schemas.ts'
import { webhooksPage } from './webhooks.ts'

/** The pages about the contract, and the page about the behaviour that all SDKs share. */
export function emitDocs(
  api: Api,
  families: readonly Family[],
  languages: readonly Language[],
  sources: Sources,
): OutFile[] {
  const page = (path: string, text: string, source = sources.contract): OutFile => ({
    path: `docs/${path}`,
    content: `<!-- ${header(source)} -->\n\n${text}\n`,
  })
  return [
    page(
      'promises.md',
      promisesPage(api, families, languages),
      `${sources.behavior} and sdks/conformance`,
    ),
    page('assumptions.md', assumptionsPage(api)),
    page('reference/README.md', overviewPage(api)),
    // A resource may only have old names of methods that are elsewhere now.
    ...api.resources
      .filter((resource) => [...under(resource)].length > 0)
      .map((resource) => page(`reference/${resourceFile(resource)}`, resourcePage(api, resource))),
    page('reference/schemas.md', schemasPage(api)),
    ...(api.webhooks.length > 0 ? [page('reference/webhooks.md', webhooksPage(api))] : []),
  ]
}

function overviewPage(api: Api): string {
  const operations = api.resources.flatMap((resource) =>
    [...under(resource)].map((operation) => {
      const title = operationTitle(operation)
      return [`[${title}](${resourceFile(resource)}#${anchor(title)})`, code(operation.id)]
    }),
  )
  const events = api.webhooks.map(({ event, doc }) => [
    `[${event}](webhooks.md#${anchor(event)})`,
    inline(doc.text ?? ''),
  ])
  return blocks(
    `# ${inline(api.title)}`,
    api.description,
    operations.length > 0 && blocks('## Operations', table(['Operation', 'Request'], operations)),
    events.length > 0 && blocks('## Webhooks', table(['Event', 'Description'], events)),
    '[Schemas](schemas.md) lists all types. [Assumptions](../assumptions.md) lists the shapes that the service has not published.',
  )
}
