import path from 'node:path'
import { programs } from '../../../scripts/toolchain/languages/ruby.ts'
import { buildGem, installGem } from '../install-ruby.ts'
import type { Support } from '../languages.ts'
import { run } from '../processes.ts'
import { type Files, searched, written } from '../projects.ts'
import { DATABASE, PROBE } from './ruby-fixtures.ts'

export const support: Support = {
  readme: {
    write: programOf,
    env: (project) => {
      const home = path.join(project, 'gems')
      // With the gems of the machine, such as webmock; an empty entry stands for those.
      const GEM_PATH = `${home}${path.delimiter}`
      return { GEM_HOME: home, GEM_PATH, PATH: searched(path.dirname(programs.ruby)) }
    },
    run: () => [programs.ruby, 'main.rb'],
  },
  guide: {
    async create(files, place) {
      const folder = await written(path.join(place.folder, 'ruby'), files)
      const gems = await installGem(await buildGem(place.folder), path.join(place.folder, 'gems'))
      const env = {
        ...gems,
        // An empty entry stands for the gems of the machine.
        GEM_PATH: `${gems.GEM_PATH}${path.delimiter}`,
        PATH: searched(path.dirname(programs.ruby)),
        RACK_ENV: 'production',
      }
      const names = Object.keys(files).filter((name) => name.endsWith('.rb'))
      const ruby = [programs.ruby, '-wc', ...names]
      const check = async () => {
        const { stderr } = await run(ruby, { cwd: folder, env })
        if (stderr) throw new Error(stderr)
      }
      return { folder, env, check }
    },
    database: DATABASE,
    probe: PROBE,
  },
  async sandbox(_sources, folder) {
    const gems = await installGem(await buildGem(folder), path.join(folder, 'gems'))
    return {
      command: (name) => [programs.ruby, path.join(folder, 'ruby', `${name}.rb`)],
      // With the gems of the machine; an empty entry stands for those.
      env: { ...gems, GEM_PATH: `${gems.GEM_PATH}${path.delimiter}` },
    }
  },
}

function programOf([first = '', ...others]: readonly string[]): Files {
  const scopes = others.map((code) => `lambda do\n${code}end.call\n`)
  return { 'main.rb': [first, ...scopes].join('') }
}
