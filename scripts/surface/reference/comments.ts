// The forms of comments: tags, as JSDoc and YARD have them, and sections, as Google has them for Python.

/** A comment in Markdown, and what it says about parts of the declaration. */
export interface Comment {
  text: string
  parameters: Entry[]
  returns: string
  raises: Entry[]
  default: string
  examples: string[]
  isPrivate: boolean
}

export interface Entry {
  name: string
  text: string
}

function empty(): Comment {
  return {
    ...{ text: '', parameters: [], returns: '', raises: [], default: '', examples: [] },
    isPrivate: false,
  }
}

/** A comment that is Markdown already. */
export function plain(doc: string): Comment {
  const text = doc.trim().replace(/^(?:GET|PUT|POST|PATCH|DELETE) \/\S*$/gm, code)
  return { ...empty(), text }
}

/** Each tag takes the lines up to the next one. */
export function tagged(doc: string): Comment {
  const lines = doc.trimEnd().split('\n')
  const comment = empty()
  const blocks: string[][] = [[]]
  for (const line of lines) {
    if (/^@\w/.test(line)) blocks.push([])
    blocks.at(-1)?.push(line)
  }
  const [text = [], ...tags] = blocks
  comment.text = text.join('\n').trim()
  for (const [first = '', ...rest] of tags) {
    const [, tag = '', head = ''] = /^@(\w+) ?(.*)$/.exec(first) ?? []
    add(comment, tag, head, rest)
  }
  return comment
}

function add(comment: Comment, tag: string, head: string, rest: string[]): void {
  const text = flow([head, ...rest])
  const [, type = '', after = ''] = /^\[((?:[^[\]]|\[[^\]]*\])*)\] ?(.*)$/s.exec(text) ?? [
    '',
    '',
    text,
  ]
  const [, name = '', said = ''] = /^(\S+)(?: - | )?(.*)$/s.exec(text) ?? []
  const elsewhere = /^\(see (\S+)\)$/.exec(text)?.[1]
  if (elsewhere !== undefined) {
    const see = `See {${elsewhere}}.`
    if (!comment.text.includes(see)) comment.text += `\n\n${see}`
    return
  }
  switch (tag) {
    case 'overload':
      comment.parameters.push(...tagged(outdented(rest)).parameters)
      break
    case 'option': {
      const [, own = '', about = ''] = /^\[.*?\] :(\w+)(?: \([^)]*\))? ?(.*)$/s.exec(said) ?? []
      comment.parameters.push({ name: `${name}[:${own}]`, text: about })
      break
    }
    case 'param':
      comment.parameters.push({ name, text: said.replace(TYPE, '') })
      break
    case 'yieldparam':
      comment.parameters.push({ name: `&${name}`, text: said.replace(TYPE, '') })
      break
    case 'yieldreturn':
      comment.parameters.push({
        name: '&',
        text: `The block returns ${type ? code(type) : ''} ${after}`,
      })
      break
    case 'return':
    case 'returns':
      comment.returns = after
      break
    case 'raise':
      if (type) comment.raises.push({ name: type, text: after })
      break
    case 'throws':
      comment.raises.push({ name: name.replace(/[{}]/g, ''), text: said })
      break
    case 'default':
    case 'defaultValue':
      comment.default = /^[\w.'"-]+$/.test(text) ? code(text) : text
      break
    case 'example':
      comment.examples.push(outdented([...(head ? [head] : []), ...rest]))
      break
    case 'deprecated':
      comment.text += `\n\n**Deprecated.** ${text}`
      break
    case 'yield':
    case 'remarks':
      comment.text += `\n\n${after}`
      break
    case 'api':
    case 'internal':
      comment.isPrivate = true
      break
    case 'see':
    case 'template':
    case 'typeParam':
      break
    default:
      throw new Error(`The reference knows no @${tag}.`)
  }
}

/** The signature has it. */
const TYPE = /^\[(?:[^[\]]|\[[^\]]*\])*\]\s*/

const code = (text: string) => `\`${text}\``

const SECTION = /^(Args|Arguments|Attributes|Returns|Yields|Raises|Example|Examples):$/

/** A section is a heading with a colon, and the lines below that stand further to the right. */
export function sections(doc: string): Comment {
  const lines = doc.trimEnd().split('\n')
  const comment = empty()
  const text: string[] = []
  for (let index = 0; index < lines.length; index++) {
    const name = SECTION.exec(lines[index] ?? '')?.[1]
    if (name === undefined) {
      text.push(lines[index] ?? '')
      continue
    }
    const own: string[] = []
    while (index + 1 < lines.length && /^(?:\s|$)/.test(lines[index + 1] ?? '')) {
      own.push(lines[++index] ?? '')
    }
    if (name.startsWith('Example')) comment.examples.push(outdented(own))
    else if (/Returns|Yields/.test(name)) comment.returns = flow(own)
    else (name === 'Raises' ? comment.raises : comment.parameters).push(...entries(own))
  }
  comment.text = text.join('\n').trim()
  return comment
}

/** `name: text`, where what belongs to it stands further to the right. */
function entries(lines: readonly string[]): Entry[] {
  const found: Entry[] = []
  for (const line of outdented(lines).split('\n')) {
    const [, name, text = ''] = /^([*\w.]+): ?(.*)$/.exec(line) ?? []
    const last = found.at(-1)
    if (name !== undefined) found.push({ name, text })
    else if (last) last.text = flow([last.text, line])
  }
  return found
}

/** A paragraph, or code, which stands further to the right. */
export interface Block {
  isCode: boolean
  text: string
}

/** The paragraphs of a text, and the code between them. What continues the item of a list is no code. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  for (const part of text.split(/\n{2,}/)) {
    const last = blocks.at(-1)
    const isDeep = part.split('\n').every((line) => /^(?: {2}|\t)/.test(line))
    const isCode = isDeep && !/^\s*(?:[-*]|\d+\.) /.test(last?.isCode === false ? last.text : '')
    if (isCode && last?.isCode) last.text += `\n\n${part}`
    else blocks.push({ isCode, text: part })
  }
  return blocks.map((block) =>
    block.isCode ? { ...block, text: outdented(block.text.split('\n')) } : block,
  )
}

/** Lines as one. */
export function flow(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .join(' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}

function outdented(lines: readonly string[]): string {
  const depths = lines.filter((line) => line.trim()).map((line) => line.search(/\S/))
  const depth = Math.min(...depths)
  return lines
    .map((line) => line.slice(depth))
    .join('\n')
    .replace(/^\n+|\s+$/g, '')
}
