import { readFile } from 'node:fs/promises'

/** What a README shows: the output of each command of its console blocks. */
export async function shownIn(file: string): Promise<Map<string, string>> {
  const blocks = (await readFile(file, 'utf8')).matchAll(/^```console\n\$ (.*)\n([\s\S]*?)^```$/gm)
  return new Map(Array.from(blocks, ([, command = '', printed = '']) => [command, printed]))
}

/** The TypeScript that a README shows, block by block. */
export async function codeIn(file: string): Promise<string[]> {
  const blocks = (await readFile(file, 'utf8')).matchAll(/^```ts\n([\s\S]*?)^```$/gm)
  return Array.from(blocks, ([, code = '']) => code)
}
