import type { Api, Family } from '../../model/types.ts'
import { header, type OutFile, type Sources } from '../core/file.ts'
import { anchor, blocks, code, inline, table } from '../core/markdown.ts'
import { assumptionsPage } from './assumptions.ts'
import { type Code, CodeOf } from './code.ts'
import { errorsPage } from './errors.ts'
import { type Guides, guidePages } from './guides.ts'
import { operationTitle, resourceFile, resourcePage, under } from './operations.ts'
import { promisesPage } from './promises.ts'
import { schemasPage } from './schemas.ts'
import { webhooksPage } from './webhooks.ts'

/** The pages about the contract, and the page about the behaviour that all SDKs share. */
export function emitDocs(
  api: Api,
  families: readonly Family[],
  code: Code,
  guides: Guides,
  sources: Sources,
): OutFile[] {
  const languages = [...code.keys()]
  const written = new CodeOf(api, code)
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
      .map((resource) =>
        page(`reference/${resourceFile(resource)}`, resourcePage(api, resource, written)),
      ),
    page('reference/schemas.md', schemasPage(api)),
    page(
      'reference/errors.md',
      errorsPage(api, languages),
      `${sources.contract} and ${sources.behavior}`,
    ),
    ...guidePages(guides, languages).map(({ name, text }) =>
      page(`guides/${name}.md`, text, `${sources.contract} and scripts/emit/docs/guides`),
    ),
    ...(api.webhooks.length > 0 ? [page('reference/webhooks.md', webhooksPage(api, written))] : []),
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
    '[Schemas](schemas.md) lists all types. [Errors](errors.md) lists all error codes. [Assumptions](../assumptions.md) lists the shapes that the service has not published.',
  )
}
