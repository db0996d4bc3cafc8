// Servers in a process of their own: other runtimes, and frameworks that build their own programs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { bun, deno, fileOf } from '../../../../scripts/toolchain/packages.ts'
import { Miniflare } from '../../../../toolchains/miniflare.ts'
import type { Setting, Steered } from './scenario.ts'
import { send } from './servers.ts'
import type { Place } from './suite.ts'

export interface Host {
  port: number
  /** Before the path of every request. */
  prefix: string
  stop(): Promise<unknown>
}

/** A file with a receiver in it, and the line that serves it. */
async function bundle(file: string, more = ''): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from ${JSON.stringify(file)}\n${more}`,
      resolveDir: dirname(file),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    external: ['node:*'],
  })
  return outputFiles[0]?.text ?? ''
}

const entry = join(import.meta.dirname, 'remote.ts')
const nodeEntry = join(import.meta.dirname, 'remote-node.ts')

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'host-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

/** Starts a program that prints its port. */
async function started(folder: string, [program = '', ...args]: string[], env = {}): Promise<Host> {
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    const port = /(?:port |127\.0\.0\.1:)(\d+)/.exec(line)?.[1]
    if (port === undefined) continue
    child.stdout.resume()
    const stop = async () => {
      child.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      // By force, because others tidy up temporary files too.
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    }
    return { port: Number(port), prefix: '', stop }
  }
  throw new Error(`${program} has ended:\n${lines.join('\n')}`)
}

const SERVE = {
  Deno: `Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: ({ port }) => console.log('port ' + port) }, handle)`,
  Bun: `console.log('port ' + Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: handle }).port)`,
}

async function runtime(name: keyof typeof SERVE, command: string[]): Promise<Host> {
  const more = `import { handle } from ${JSON.stringify(entry)}\n${SERVE[name]}`
  return started(await folderOf({ 'main.mjs': await bundle(entry, more) }), [
    ...command,
    'main.mjs',
  ])
}

async function workers(flags: string[]): Promise<Host> {
  const more = `import { handle } from ${JSON.stringify(entry)}\nexport default { fetch: handle }`
  const worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: await bundle(entry, more) }],
    compatibilityDate: '2026-07-30',
    compatibilityFlags: flags,
    port: 0,
  })
  const { port } = await worker.ready
  return { port: Number(port), prefix: '', stop: () => worker.dispose() }
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Links the packages of an application. Its other dependencies are beside them. */
async function linkPackages(folder: string, packages: Record<string, string>): Promise<void> {
  for (const [name, installed] of Object.entries(packages)) {
    const link = join(folder, 'node_modules', name)
    await mkdir(dirname(link), { recursive: true })
    await symlink(dirname(fileOf(`${installed}/package.json`)), link)
  }
}

async function built(folder: string, args: string[], env = {}): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${args.join(' ')} fails.`)
}

/** An application with both routers. */
async function next(release: 'next' | 'older/node_modules/next', prefix: string): Promise<Host> {
  const exported = METHODS.map((method) => `handle as ${method}`).join(', ')
  const folder = await folderOf({
    'package.json': '{ "type": "module" }',
    'next.config.js': 'export default {}',
    'lib/fetch.js': await bundle(entry),
    'lib/node.js': await bundle(nodeEntry),
    'app/layout.js': 'export default ({ children }) => children',
    'app/app/[[...path]]/route.js': `export { ${exported} } from '../../../lib/fetch.js'`,
    'pages/api/[[...path]].js':
      "export { handle as default } from '../../lib/node.js'\nexport const config = { api: { bodyParser: false } }",
  })
  await linkPackages(folder, { next: release, react: 'react', 'react-dom': 'react-dom' })
  const env = { NEXT_TELEMETRY_DISABLED: '1' }
  const bin = fileOf(`${release}/dist/bin/next`)
  // Release 15 has no other bundler by default, and no such flag.
  await built(folder, [bin, 'build', ...(release === 'next' ? ['--webpack'] : [])], env)
  const command = [process.execPath, bin, 'start', '--port', '0', '--hostname', '127.0.0.1']
  return { ...(await started(folder, command)), prefix }
}

async function svelteKit(): Promise<Host> {
  const folder = await folderOf({
    'package.json': '{ "type": "module" }',
    'vite.config.js': `import adapter from '@sveltejs/adapter-node'
      import { sveltekit } from '@sveltejs/kit/vite'
      export default { plugins: [sveltekit({ adapter: adapter() })] }`,
    'src/app.html': '%sveltekit.head%%sveltekit.body%',
    'src/fetch.js': await bundle(entry),
    'src/routes/[...path]/+server.js': `import { handle } from '../../fetch.js'
      export const fallback = ({ request }) => handle(request)`,
    'main.js': `import { createServer } from 'node:http'
      import { handler } from './build/handler.js'
      const server = createServer(handler).listen(0, '127.0.0.1', () => {
        console.log('port ' + server.address().port)
      })`,
  })
  const names = ['@sveltejs/adapter-node', '@sveltejs/kit', 'svelte', 'vite']
  await linkPackages(folder, Object.fromEntries(names.map((name) => [name, name])))
  await built(folder, [fileOf('vite/bin/vite.js'), 'build', '--logLevel', 'warn'])
  return started(folder, [process.execPath, 'main.js'], { BODY_SIZE_LIMIT: 'Infinity' })
}

export const hosts = {
  Deno: () =>
    runtime('Deno', [deno(), 'run', '--no-prompt', '--allow-net=127.0.0.1', '--allow-env']),
  Bun: () => runtime('Bun', [bun(), 'run', '--no-install']),
  'Cloudflare Workers': () => workers([]),
  'Cloudflare Workers with node:crypto': () => workers(['nodejs_compat']),
  'Next.js 15, app router': () => next('older/node_modules/next', '/app'),
  'Next.js 15, pages router': () => next('older/node_modules/next', '/api'),
  'Next.js 16, app router': () => next('next', '/app'),
  'Next.js 16, pages router': () => next('next', '/api'),
  SvelteKit: svelteKit,
} satisfies Record<string, () => Promise<Host>>

export const places: Partial<Record<keyof typeof hosts, Place>> = {
  'Cloudflare Workers': { cuts: true },
  'Cloudflare Workers with node:crypto': { cuts: true },
  SvelteKit: { drops: true },
}

/** Starts a receiver anew in a process that runs. */
export async function there(
  { port, prefix }: Host,
  setting: Setting & { consumed?: boolean },
): Promise<Steered> {
  const post = async (name: string, json: unknown = {}) => {
    const headers = ['content-type', 'application/json']
    const body = Buffer.from(JSON.stringify(json))
    const { status, text } = await send(port, 'POST', body, headers, `${prefix}/_${name}`)
    if (status !== 200) throw new Error(`${name}: ${status} ${text}`)
    return JSON.parse(text)
  }
  await post('start', setting)
  return {
    port,
    path: prefix || '/',
    advance: (seconds) => post('advance', seconds),
    hold: () => post('hold'),
    entered: () => post('entered'),
    open: () => post('open'),
    seen: () => post('seen'),
  }
}
