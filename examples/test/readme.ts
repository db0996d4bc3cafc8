import { readFile } from 'node:fs/promises'

/** What a README shows: the output of each command of its console blocks. */
export async function shownIn(file: string): Promise<Map<string, string>> {
  const blocks = (await readFile(file, 'utf8')).matchAll(/^```console\n\$ (.*)\n([\s\S]*?)^```$/gm)
  return new Map(Array.from(blocks, ([, command = '', printed = '']) => [command, printed]))
}

/** The code of a language that a README shows, block by block. */
export async function codeIn(file: string, language = 'ts'): Promise<string[]> {
  const text = await readFile(file, 'utf8')
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))
  return Array.from(blocks, ([, code = '']) => code)
}

/** What code says that it prints, line by line: `// => 3` or `# => 3`. */
export function printedBy(code: string): string[] {
  return Array.from(code.matchAll(/(?:\/\/|#) => (.*)$/gm), ([, line = '']) => line)
}
