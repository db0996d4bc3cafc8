import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { programs } from '../../../scripts/toolchain/languages/go.ts'
import { registries } from '../../../scripts/toolchain/registries.ts'
import { go, MODULE, serveModule } from '../install-go.ts'
import type { Support } from '../languages.ts'
import { output } from '../processes.ts'
import { type Files, searched, written } from '../projects.ts'
import { DATABASE, PROBE } from './go-fixtures.ts'

function goEnv() {
  return { PATH: searched(path.dirname(programs.go)) }
}

export const support: Support = {
  readme: {
    write: programOf,
    prepare: async (project) => {
      await output([programs.go, 'mod', 'init', 'example.com/shop'], { cwd: project })
    },
    env: (project) => ({
      ...goEnv(),
      // Not that of the machine, which may have what was packed before under the same version.
      GOMODCACHE: path.join(path.dirname(project), 'modules'),
      GOFLAGS: '-modcacherw',
    }),
    run: () => [programs.go, 'run', '.'],
    check: (project, folder) =>
      output([programs.go, 'vet', '.'], {
        cwd: folder,
        env: { ...registries, ...support.readme.env(project) },
      }),
  },
  guide: {
    async create(files, place) {
      const folder = await written(path.join(place.folder, 'go'), files)
      const proxy = await serveModule(place.folder)
      await proxy.go(['mod', 'init', 'example.com/shop'], folder)
      await proxy.go(['get', `${MODULE}@latest`], folder)
      // So that the commands of the guide need no proxy.
      await proxy.go(['mod', 'vendor'], folder)
      const env = { ...registries, PATH: searched(path.dirname(programs.go)) }
      const check = async () => {
        await output([programs.go, 'vet', '.'], { cwd: folder, env })
        const unformatted = await output([programs.gofmt, '-l', ...Object.keys(files)], {
          cwd: folder,
        })
        if (unformatted) throw new Error(`gofmt would change ${unformatted}`)
      }
      return { folder, env, check }
    },
    database: DATABASE,
    probe: PROBE,
    // The database that stands in for one is a process's own.
    sharesDatabase: false,
    // Go builds all files of a folder.
    buildsFolder: true,
  },
  async sandbox(sources, folder) {
    const binaries = path.join(folder, 'binaries')
    await mkdir(binaries)
    await go(['build', '-o', binaries, './...'], path.join(sources, 'go'))
    return { command: (name) => [path.join(binaries, name)] }
  },
}

const IMPORTS: Readonly<Record<string, string>> = {
  errors: 'errors',
  fmt: 'fmt',
  http: 'net/http',
  httptest: 'net/http/httptest',
  url: 'net/url',
}

/** The first block is a program; it is given a last line that runs the others. */
function programOf([first = '', ...others]: readonly string[]): Files {
  if (others.length === 0) return { 'main.go': first }
  const sdk = /^\tsupportchat .*$/m.exec(first)?.[0] ?? ''
  const isTest = others.join('').includes('supportchattest.')
  const kit = isTest ? [sdk.replace(/^.*"(.*)"$/, '\t"$1/supportchattest"')] : []
  const uses = Object.keys(IMPORTS).filter((name) => others.join('').includes(`${name}.`))
  const imports = ['context', 'log', ...uses.map((name) => IMPORTS[name])].map(
    (one) => `\t"${one}"`,
  )
  const functions = others.map((code, index) => {
    return `func block${index}(ctx context.Context, client *supportchat.Client) error {\n${code}return nil\n}\n`
  })
  const calls = others.map(
    (_, index) =>
      `if err := block${index}(context.Background(), client); err != nil {\nlog.Fatal(err)\n}\n`,
  )
  return {
    'main.go': first.replace(/\}\n$/, '\tblocks(client)\n}\n'),
    'blocks.go': [
      'package main\n',
      `import (\n${[...imports, sdk, ...kit].join('\n')}\n)\n`,
      'const secret = "whsec_test"\n',
      `func blocks(client *supportchat.Client) {\n${calls.join('')}}\n`,
      ...functions,
    ].join('\n'),
  }
}
