// The pages of a language's reference.
import { type Block, blocksOf, type Comment, flow } from './comments.ts'
import type { Item, Member, Style } from './item.ts'
import { type Heading, Links } from './links.ts'
import { cell, escaped, HEADER, sentence, table } from './markdown.ts'
import { wrapped } from './signature.ts'
import { PAGES, rankOf, type Topic, topicsOf } from './topics.ts'

/** The pages of a language by their names, without the ending. */
export function pagesOf(style: Style, items: readonly Item[]): Map<string, string> {
  const isShown = ({ doc }: { doc: string }) => !style.commentOf(doc).isPrivate
  const shown = items
    .filter((item) => isShown(item) && isOfUse(item))
    .map((item) => {
      // Only the SDK makes what nobody can import.
      const isMade = ({ name, doc }: Member) => item.from === null && doc === '' && MAKER.test(name)
      const members = item.members.filter(
        (one) => isShown(one) && !isMade(one) && !(one.doc === '' && MECHANICS.test(one.name)),
      )
      return { ...item, members }
    })
  return new Reference(style, shown).pages()
}

/** Whether users can do something with a declaration: what they cannot import must say something. */
function isOfUse({ from, kind, members }: Item): boolean {
  if (from !== null) return true
  return kind === 'class' ? members.length > 0 : kind === 'type' || kind === 'module'
}

class Reference {
  private readonly links = new Links()
  private readonly topics: Array<[Topic, Item[]]>

  private readonly style: Style
  /** What users import most from. */
  private readonly main: string
  /** How many declarations have a name. */
  private readonly counts = new Map<string, number>()

  constructor(style: Style, items: readonly Item[]) {
    this.style = style
    const sources = items.flatMap(({ from }) => (from === null ? [] : [from]))
    this.main = sources.sort((a, b) => a.length - b.length)[0] ?? ''
    for (const { name } of items) this.counts.set(name, (this.counts.get(name) ?? 0) + 1)
    const topics = topicsOf(items)
    this.topics = PAGES.map((topic): [Topic, Item[]] => [
      topic,
      items.filter((item) => topics.get(item) === topic).sort(inOrderOf(topic)),
    ]).filter(([, own]) => own.length > 0)
    for (const [{ id }, own] of this.topics) {
      const long = own.filter((item) => !isShort(item)).flatMap((item) => this.headings(item))
      const short = own.filter(isShort).map(({ name }) => name)
      this.links.addPage(`${id}.md`, [...long, [short, CONSTANTS]])
    }
  }

  pages(): Map<string, string> {
    return new Map(this.topics.map(([topic, items]) => [topic.id, this.page(topic, items)]))
  }

  private page({ id, title, text }: Topic, items: readonly Item[]): string {
    const page = `${id}.md`
    const sections = items
      .filter((item) => !isShort(item))
      .flatMap((item) => this.section(page, item))
    const head = [HEADER, `# ${title} in ${this.style.title}`, text, this.source(items)]
    const all = [...head, ...sections, ...this.constants(page, items.filter(isShort))]
    return `${all.filter(Boolean).join('\n\n')}\n`
  }

  /** What imports all that a page does not say it of. */
  private source(items: readonly Item[]): string {
    const item = items.find(({ from }) => from === this.main)
    if (item === undefined || this.style.namesImports) return ''
    return `Unless a section says otherwise: \`${this.style.importOf(item)}\``
  }

  private constants(page: string, items: readonly Item[]): string[] {
    const rows = items.map(({ name, code, doc }) => {
      const said = cell(this.inline(page, sentence(this.style.commentOf(doc).text), name))
      return `| \`${cell(code)}\` | ${said} |`
    })
    return rows.length === 0 ? [] : [`## ${CONSTANTS}`, table(['Constant', 'Description'], rows)]
  }

  private section(page: string, item: Item): string[] {
    const comment = this.style.commentOf(item.doc)
    const isKnown = item.from === null || (item.from === this.main && !this.style.namesImports)
    const source = isKnown ? '' : `\`${this.style.importOf(item)}\``
    return [
      `## ${this.heading(item)}`,
      ...this.declaration(page, item.code, comment, item.name, source),
      ...this.fields(page, item),
      ...this.plain(page, item),
      ...item.members.filter(hasSection).flatMap((member) => this.method(page, item, member)),
    ]
  }

  /** The methods that say all in their declarations. */
  private plain(page: string, item: Item): string[] {
    const methods = item.members.filter(({ kind, doc }) => kind === 'method' && doc === '')
    if (methods.length === 0) return []
    const code = methods.map(({ code }) => code).join('\n')
    return this.declaration(page, code, this.style.commentOf(''), item.name)
  }

  /** What an item and its methods are called, with what leads there. */
  private headings(item: Item): Heading[] {
    const methods = item.members.filter(hasSection)
    return [
      [[item.name], this.heading(item)],
      ...methods.map((member): Heading => [[titleOf(item, member)], titleOf(item, member)]),
    ]
  }

  private heading({ name, from }: Item): string {
    const isClear = this.counts.get(name) === 1 || from === null || from === this.main
    return isClear ? `\`${name}\`` : `\`${name}\` from \`${from.split(/[/.]/).at(-1)}\``
  }

  private method(page: string, item: Item, member: Member): string[] {
    const comment = this.style.commentOf(member.doc)
    return [
      `### \`${titleOf(item, member)}\``,
      ...this.declaration(page, member.code, comment, item.name),
    ]
  }

  /** The declaration, and what its comment says. */
  private declaration(
    page: string,
    code: string,
    comment: Comment,
    own: string,
    source = '',
  ): string[] {
    const { parameters, returns, raises, examples } = comment
    const fence = (content: string) => this.fence(content)
    const inline = (value: string) => this.inline(page, value, own)
    const row = (name: string, text: string) => `| ${name} | ${cell(inline(sentence(text)))} |`
    const prose = ({ isCode, text }: Block) => (isCode ? fence(text) : inline(text))
    const said = [
      ...blocksOf(comment.text).map(prose),
      table(
        ['Parameter', 'Description'],
        parameters.filter(({ text }) => text).map(({ name, text }) => row(`\`${name}\``, text)),
      ),
      returns && `Returns: ${inline(sentence(returns))}`,
      table(
        ['Error', 'When'],
        raises.map(({ name, text }) => row(inline(`\`${name}\``), text)),
      ),
      ...examples.map((example) => `Example:\n\n${fence(example)}`),
    ]
    const here = this.links.to(own, page)
    const names = [...new Set(code.match(NAME) ?? [])]
    const types = names.flatMap((name) => {
      const to = this.links.to(name, page)
      const isSaid = to === null || to === here || said.some((text) => text.includes(`](${to})`))
      return isSaid ? [] : [`[\`${name}\`](${to})`]
    })
    return [
      fence(code.split('\n').map(wrapped).join('\n')),
      source,
      ...said,
      types.length > 0 ? `See also: ${types.join(', ')}` : '',
    ]
  }

  private fence(content: string): string {
    return `\`\`\`${this.style.fence}\n${content}\n\`\`\``
  }

  private fields(page: string, item: Item): string[] {
    const long = item.members.filter((member) => member.kind === 'field' && isLong(member))
    const below = long
      .filter(({ code }) => code.length <= MOST_TYPE)
      .map(({ name, code }) => this.fence(`${name}: ${code}`))
    const tables = (['field', 'value'] as const).map((kind) => {
      const members = item.members.filter((member) => member.kind === kind)
      const rows = members.flatMap((member) => {
        const comment = this.style.commentOf(member.doc)
        const said = [
          comment.text || comment.returns,
          comment.default && `Default: ${comment.default}.`,
        ]
        const text = cell(this.inline(page, sentence(said.filter(Boolean).join(' ')), item.name))
        return [`| \`${member.name}\` | ${this.type(page, member)} | ${text} |`]
      })
      return table(
        kind === 'field' ? ['Field', 'Type', 'Description'] : ['Name', 'Value', 'Description'],
        rows,
      )
    })
    return [...tables, ...below]
  }

  /** A type in which each name leads to its explanation. */
  private type(page: string, member: Member): string {
    if (isLong(member)) return member.code.length > MOST_TYPE ? '{ … }' : 'As below.'
    return flow(member.code.split('\n'))
      .split(/("[^"]*"|'[^']*'|[A-Za-z_][\w:]*(?:\.\w+)?)/)
      .map((part) => {
        const to = /^["']/.test(part) ? null : this.links.to(part, page)
        return to === null ? escaped(part) : `[${escaped(part)}](${to})`
      })
      .join('')
  }

  /** Text in which the code that is a name leads to its explanation. */
  private inline(page: string, text: string, own: string): string {
    return text
      .replace(/\{@link (\w[\w.]*)\}|\{([A-Z#][\w:#?!.]*)\}/g, (_, a, b) => `\`${a ?? b}\``)
      .replace(/`([A-Za-z_#][\w:.#?!]*)`/g, (whole, name) => {
        const to = this.links.to(name.startsWith('#') ? own + name : name, page)
        return to === null ? whole : `[${whole}](${to})`
      })
      .replace(/(?<![\w`[\]./#-])[A-Z]\w*[a-z]\w*[A-Z]\w*(?![\w`\]])/g, (name) => {
        const to = name === own || own.startsWith(`${name}.`) ? null : this.links.to(name, page)
        return to === null ? name : `[\`${name}\`](${to})`
      })
      .replace(/(?<=^|\. |\n)Assumption:/g, '*Assumption:*')
  }
}

/** The heading above those that need no section. */
const CONSTANTS = 'Constants'

/** What every object has, and what only encoders call. */
const MECHANICS = /^(?:==|eql\?|hash|(?:Unm|M)arshalJSON)$/

const MAKER = /^(?:constructor|__init__|__new__|initialize)$/

const NAME = /[A-Za-z_][\w:]*/g

/** How long a type may be in a cell of a table, and beneath one. */
const [MOST_CELL, MOST_TYPE] = [120, 600]

function isLong({ code }: Member): boolean {
  return flow(code.split('\n')).length > MOST_CELL
}

function hasSection({ kind, doc }: Member): boolean {
  return kind === 'method' && doc !== ''
}

function titleOf({ name }: Item, member: Member): string {
  return `${name}${member.mark}${member.name}`
}

/** Whether a row of a table has room for a declaration. */
function isShort({ kind, code, members }: Item): boolean {
  return kind === 'constant' && code.length < 100 && !code.includes('\n') && members.length === 0
}

function inOrderOf(topic: Topic): (a: Item, b: Item) => number {
  // What is called comes before the types of its arguments, and a synchronous class before its asynchronous one.
  const keyOf = (item: Item) => [
    rankOf(item, topic),
    item.kind === 'type' ? 1 : 0,
    item.name.replace(/^(Async)(.*)$/, '$2 $1'),
    item.from ?? '',
  ]
  return (a, b) => {
    const [first, second] = [keyOf(a), keyOf(b)]
    const at = first.findIndex((part, index) => part !== second[index])
    return at === -1 ? 0 : (first[at] ?? '') < (second[at] ?? '') ? -1 : 1
  }
}
