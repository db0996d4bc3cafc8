/** Plays a newcomer who follows docs/start.md in one language, in an empty folder. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { Language } from '../emit/core/language.ts'
import { ROOT } from '../repository.ts'
import { environment } from './environment.ts'
import { type Act, matcher, printedBy, readPage } from './page.ts'
import { Stuck, Terminals } from './terminal.ts'

const PAGE = join(ROOT, 'docs/start.md')
/** The ports of the page, in whose place free ones are used. */
const PORTS = ['4010', '8080']

/** The time that the machine needed for a section of the page. */
export interface Step {
  title: string
  ms: number
}

export interface Settings {
  /** The folder that `npm run pack:all` made. */
  packs: string
  /** An empty folder. */
  folder: string
  /** Whether what the machine has downloaded and compiled before may be used. */
  keepCaches: boolean
}

/** @throws Stuck where something is not as the page says. */
export async function play(language: Language, settings: Settings): Promise<Step[]> {
  const { packs, folder, keepCaches } = settings
  const shop = join(folder, 'shop')
  await mkdir(shop)
  await cp(packs, join(shop, 'packs'), { recursive: true })
  const terminals = new Terminals(shop, await environment(language, folder, keepCaches))
  const ports = new Map<string, string>()
  for (const port of PORTS) ports.set(port, String(await freePort()))
  const reader = new Reader(terminals, shop, ports)
  const steps: Step[] = []
  try {
    for (const { title, acts } of readPage(await readFile(PAGE, 'utf8'), language.title)) {
      const started = performance.now()
      for (const act of acts) await reader.do(act)
      steps.push({ title, ms: performance.now() - started })
    }
    return steps
  } finally {
    await terminals.close()
  }
}

class Reader {
  readonly #terminals: Terminals
  readonly #shop: string
  readonly #ports: ReadonlyMap<string, string>
  /** A receiver that was saved, which a reader starts when the secret is set. */
  #waiting: { command: string; port: number } | null = null

  constructor(terminals: Terminals, shop: string, ports: ReadonlyMap<string, string>) {
    this.#terminals = terminals
    this.#shop = shop
    this.#ports = ports
  }

  async do(act: Act): Promise<void> {
    switch (act.kind) {
      case 'type':
        await this.#terminals.type(this.#here(act.script))
        return await this.#startWaiting()
      case 'enter':
        return await this.#enter(act.command, act.shown)
      case 'save':
        return await this.#save(act)
      case 'see':
        return await this.#terminals.see(matcher(this.#here(act.shown)))
    }
  }

  async #enter(command: string, shown: string): Promise<void> {
    const expected = matcher(this.#here(shown))
    if (/ (?:serve|listen)\b/.test(command)) {
      const port = command.endsWith(' serve') ? ` --port ${this.#ports.get('4010')}` : ''
      this.#terminals.open(this.#here(command) + port)
      return await this.#terminals.see(expected)
    }
    const printed = await this.#terminals.type(this.#here(command))
    if (!expected.test(printed)) throw new Stuck(`${command}\nprinted:\n${printed}`)
  }

  async #save({ file, code, use, command }: Act & { kind: 'save' }): Promise<void> {
    await mkdir(dirname(join(this.#shop, file)), { recursive: true })
    await writeFile(join(this.#shop, file), this.#here(code))
    if (use === 'started') {
      this.#waiting = { command: this.#here(command), port: Number(this.#ports.get('8080')) }
      return
    }
    const printed = await this.#terminals.type(command)
    for (const line of printedBy(code)) {
      if (!matcher(line).test(printed)) throw new Stuck(`${command}\nprinted:\n${printed}`)
    }
  }

  async #startWaiting(): Promise<void> {
    if (!this.#waiting) return
    const { command, port } = this.#waiting
    this.#waiting = null
    this.#terminals.open(command)
    await this.#terminals.listening(port)
  }

  /** What the page says, with the ports of this run and the secret that was printed. */
  #here(text: string): string {
    const secret = /whsec_\S+/.exec(this.#terminals.shown().join('\n'))?.[0]
    const moved = text.replace(/\b\d{4}\b/g, (number) => this.#ports.get(number) ?? number)
    return secret ? moved.replaceAll('whsec_…', secret) : moved
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
