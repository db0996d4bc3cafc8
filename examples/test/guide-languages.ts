/** Projects in which the programs of a guide run, from the packages as users get them. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { programs as go } from '../../scripts/toolchain/languages/go.ts'
import { tool, programs as tools } from '../../scripts/toolchain/languages/python.ts'
import { programs as ruby } from '../../scripts/toolchain/languages/ruby.ts'
import { compile } from './compile.ts'
import { MODULE, serveModule } from './install-go.ts'
import { buildPython, installPython } from './install-python.ts'
import { buildGem, installGem } from './install-ruby.ts'
import { repository } from './packages.ts'
import { output, run } from './processes.ts'
import type { Files } from './readme-programs.ts'
import { registries } from './registries.ts'

export interface Project {
  folder: string
  env: Record<string, string>
  /** Throws unless the language's own checkers accept the project. */
  check(): Promise<unknown>
}

/** Where projects are made. */
export interface Place {
  /** Of the test, empty. */
  folder: string
  /** One with the packed packages of npm. */
  npm: string
  /** Of the guide. */
  name: string
}

/** With the runtimes that npm brings. */
const BIN = path.join(repository, 'node_modules/.bin')

/** Makes a project of files, by the fence of their blocks. */
export const languages: Readonly<Record<string, (files: Files, place: Place) => Promise<Project>>> =
  {
    async ts(files, { npm, name }) {
      const folder = await written(path.join(npm, name), files)
      await mkdir(path.join(folder, 'node_modules'))
      for (const installed of ['express', '@types', 'vitest']) {
        const target = path.join(folder, 'node_modules', installed)
        await symlink(path.join(repository, 'node_modules', installed), target)
      }
      const env = { PATH: searched(path.dirname(process.execPath), BIN) }
      const options = { module: 'nodenext', noEmit: true, allowImportingTsExtensions: true }
      return { folder, env, check: () => compile(folder, 'TypeScript 5.9', options) }
    },

    async python(files, place) {
      const folder = await written(path.join(place.folder, 'python'), files)
      const { wheel } = await buildPython(path.join(place.folder, 'dist'))
      const python = await installPython(wheel, path.join(place.folder, 'venv'))
      const lock = path.join(repository, 'sdks/python/requirements-dev.txt')
      const frameworks = ['--constraint', lock, 'flask', 'starlette', 'uvicorn', 'pytest']
      await output([tools.uv, '--quiet', 'pip', 'install', '--python', python, ...frameworks], {
        cwd: folder,
        env: registries,
      })
      const env = {
        PATH: searched(path.dirname(python)),
        PYTHONUNBUFFERED: '1',
        // Or a line of its log comes into the middle of what the handler prints.
        UVICORN_ACCESS_LOG: 'false',
        PYTHONDONTWRITEBYTECODE: '1',
      }
      const cache = path.join(place.folder, 'mypy')
      const flags = ['--strict', '--cache-dir', cache, '--python-executable', python]
      return { folder, env, check: () => output([tool('mypy'), ...flags, '.'], { cwd: folder }) }
    },

    async ruby(files, place) {
      const folder = await written(path.join(place.folder, 'ruby'), files)
      const gems = await installGem(await buildGem(place.folder), path.join(place.folder, 'gems'))
      const env = {
        ...gems,
        // An empty entry stands for the gems of the machine.
        GEM_PATH: `${gems.GEM_PATH}${path.delimiter}`,
        PATH: searched(path.dirname(ruby.ruby)),
        RACK_ENV: 'production',
      }
      const names = Object.keys(files).filter((name) => name.endsWith('.rb'))
      const command = [ruby.ruby, '-wc', ...names]
      const check = async () => {
        const { stderr } = await run(command, { cwd: folder, env })
        if (stderr) throw new Error(stderr)
      }
      return { folder, env, check }
    },

    async go(files, place) {
      const folder = await written(path.join(place.folder, 'go'), files)
      const proxy = await serveModule(place.folder)
      await proxy.go(['mod', 'init', 'example.com/shop'], folder)
      await proxy.go(['get', `${MODULE}@latest`], folder)
      // So that the commands of the guide need no proxy.
      await proxy.go(['mod', 'vendor'], folder)
      const env = { ...registries, PATH: searched(path.dirname(go.go)) }
      const check = async () => {
        await output([go.go, 'vet', '.'], { cwd: folder, env })
        const unformatted = await output([go.gofmt, '-l', ...Object.keys(files)], {
          cwd: folder,
        })
        if (unformatted) throw new Error(`gofmt would change ${unformatted}`)
      }
      return { folder, env, check }
    },
  }

export async function written(folder: string, files: Files): Promise<string> {
  await mkdir(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(folder, name), content)
  }
  return folder
}

/** These folders, then what is found anyway. */
function searched(...folders: string[]): string {
  return [...folders, process.env.PATH].join(path.delimiter)
}
