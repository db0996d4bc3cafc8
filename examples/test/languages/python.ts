import path from 'node:path'
import { programs, pythons, tool } from '../../../scripts/toolchain/languages/python.ts'
import { registries } from '../../../scripts/toolchain/registries.ts'
import { buildPython, installPython } from '../install-python.ts'
import type { Support } from '../languages.ts'
import { repository } from '../packages.ts'
import { output } from '../processes.ts'
import { type Files, searched, written } from '../projects.ts'
import { DATABASE, PROBE } from './python-fixtures.ts'

export const support: Support = {
  readme: {
    write: programOf,
    prepare: async (project) => {
      const flags = ['--quiet', '--seed', '--python', pythons.newest]
      await output([programs.uv, 'venv', ...flags, 'venv'], { cwd: project, env: registries })
    },
    env: (project) => ({ PATH: searched(path.join(project, 'venv/bin')) }),
    run: (project) => [path.join(project, 'venv/bin/python'), '-W', 'error', 'main.py'],
  },
  guide: {
    async create(files, place) {
      const folder = await written(path.join(place.folder, 'python'), files)
      const { wheel } = await buildPython(path.join(place.folder, 'dist'))
      const python = await installPython(wheel, path.join(place.folder, 'venv'))
      const lock = path.join(repository, 'sdks/python/requirements-dev.txt')
      const frameworks = ['--constraint', lock, 'flask', 'starlette', 'uvicorn', 'pytest']
      await output([programs.uv, '--quiet', 'pip', 'install', '--python', python, ...frameworks], {
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
    database: DATABASE,
    probe: PROBE,
  },
  async sandbox(_sources, folder) {
    const { wheel } = await buildPython(path.join(folder, 'wheels'))
    const python = await installPython(wheel, path.join(folder, 'environment'))
    return { command: (name) => [python, path.join(folder, 'python', `${name}.py`)] }
  },
}

function programOf([first = '', ...others]: readonly string[]): Files {
  const scopes = others.map((code, index) => {
    const name = `block_${index}`
    return `\n\ndef ${name}() -> None:\n${code.replace(/^(?=.)/gm, '    ')}\n\n${name}()\n`
  })
  return { 'main.py': [first, ...scopes].join('') }
}
