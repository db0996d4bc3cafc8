// The first page of the reference.
import { LANGUAGES, TITLES } from '../../changes/types.ts'
import { HEADER, table } from './markdown.ts'
import { PAGES } from './topics.ts'

export function overviewOf(): string {
  const rows = PAGES.map(({ id, title, text }) => {
    const links = LANGUAGES.map((language) => `[${TITLES[language]}](${language}/${id}.md)`)
    return `| ${title} | ${links.join(' | ')} | ${text} |`
  })
  const columns = ['Topic', ...LANGUAGES.map((language) => TITLES[language]), 'Content']
  return `${[HEADER, INTRODUCTION, table(columns, rows)].join('\n\n')}\n`
}

const INTRODUCTION = `# SDK reference

Every public name of the four SDKs, with its declaration and its comment. The pages have the same topics in each
language.

*Assumption* marks what the service has not published: [the list of assumptions](../assumptions.md) has the reasons. The
[reference of the API](../reference/README.md) describes the requests themselves.`
