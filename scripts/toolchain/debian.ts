/**
 * The Ruby of a later Debian, unpacked beside the system's. apt verifies Debian's signature of the
 * index and the index's hash of each package; nothing is installed into the system.
 */
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { INSTALLED, MissingProgram, output } from './find.ts'
import { run } from './provide.ts'

/** What is unpacked: packages of a suite, and all that they depend on. */
export interface Selection {
  suite: string
  packages: readonly string[]
}

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
const PROGRAMS = ['ruby', 'gem', 'rake', 'rbs']

/** The folder of `ruby`, `gem`, `rake` and `rbs`, to stand first in the PATH. Installs them where they are missing. */
export function provideRuby({ suite, packages }: Selection): string {
  const root = join(INSTALLED, `debian-${suite}`)
  const wanted = `${packages.join('\n')}\n`
  const list = join(root, 'packages.txt')
  if (existsSync(list) && readFileSync(list, 'utf8') === wanted) return join(root, 'bin')
  process.stderr.write(`Unpacking the Ruby of Debian ${suite}\n`)
  rmSync(root, { recursive: true, force: true })
  const unfinished = `${root}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  unpack(unfinished, suite, packages)
  renameSync(unfinished, root)
  writePrograms(root)
  writeFileSync(list, wanted)
  return join(root, 'bin')
}

function unpack(root: string, suite: string, packages: readonly string[]): void {
  const apt = `${root}.apt`
  rmSync(apt, { recursive: true, force: true })
  try {
    download(apt, suite, packages)
    for (const file of globSync('cache/archives/*.deb', { cwd: apt })) {
      run('dpkg-deb', ['-x', join(apt, file), root])
    }
  } finally {
    rmSync(apt, { recursive: true, force: true })
  }
}

/** Runs apt in a folder, as on a machine of that suite on which nothing is installed. */
function download(apt: string, suite: string, packages: readonly string[]): void {
  for (const folder of ['lists/partial', 'cache/archives/partial', 'etc']) {
    mkdirSync(join(apt, folder), { recursive: true })
  }
  const source = `deb [signed-by=${KEYRING}] ${archive(suite)} ${suite} main\n`
  writeFileSync(join(apt, 'sources.list'), source)
  writeFileSync(join(apt, 'status'), '')
  const settings = {
    'Dir::Etc': join(apt, 'etc'),
    'Dir::Etc::SourceList': join(apt, 'sources.list'),
    'Dir::State::Lists': join(apt, 'lists'),
    'Dir::State::status': join(apt, 'status'),
    'Dir::Cache': join(apt, 'cache'),
    'APT::Sandbox::User': '',
    'APT::Install-Recommends': 'false',
    'Acquire::Languages': 'none',
    'Debug::NoLocking': 'true',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  run('apt-get', [...options, 'update', '-qq'])
  run('apt-get', [...options, 'install', '-y', '-qq', '--download-only', ...packages])
}

/** The address of Debian's archive that this machine's apt has. */
function archive(suite: string): string {
  const format = '$(REPO_URI) $(ORIGIN) $(CODENAME)'
  const targets = output('apt-get', ['indextargets', '--format', format]) ?? ''
  const [, uri] = /^(\S+) Debian [a-z]+$/m.exec(targets) ?? []
  if (uri) return uri
  throw new MissingProgram(
    `The Ruby of Debian ${suite} can only be had on Debian, after apt-get update.`,
  )
}

/**
 * Programs that run with the libraries that are unpacked beside them. Ruby searches its library in the
 * folders that were compiled in. So it is started without gems, with the folders here in RUBYLIB, and
 * `boot.rb` then puts these in the places of the compiled-in ones.
 */
function writePrograms(root: string): void {
  const [ruby = ''] = globSync('usr/bin/ruby?.?', { cwd: root })
  const [loader = ''] = globSync('usr/lib/*/ld-linux*.so.*', { cwd: root })
  const version = basename(ruby).replace('ruby', '')
  const libraries = loader.replace(/\/[^/]*$/, '')
  renameSync(join(root, ruby), join(root, `${ruby}.elf`))
  writeFileSync(join(root, 'boot.rb'), BOOT)
  const start = (script: string) => `#!/bin/sh
root='${root}'
RUBYLIB="\${RUBYLIB:+$RUBYLIB:}$root/usr/lib/ruby/vendor_ruby:$root/usr/lib/ruby/${version}.0:$root/${libraries}/ruby/${version}.0"
: "\${GEM_PATH:=$root/usr/share/rubygems-integration/all:$root/${libraries}/rubygems-integration/${version}.0:$root/usr/lib/ruby/gems/${version}.0}"
export RUBYLIB GEM_PATH
exec "$root/${loader}" --library-path "$root/${libraries}" "$root/${ruby}.elf" --disable=gems -r"$root/boot.rb" ${script}"$@"
`
  const program = (path: string, text: string) => {
    writeFileSync(join(root, path), text)
    chmodSync(join(root, path), 0o755)
  }
  mkdirSync(join(root, 'bin'))
  // RbConfig.ruby, which programs start again, is this path.
  program(ruby, start(''))
  for (const name of PROGRAMS) {
    const script = globSync(`usr/bin/${name}{${version},}`, { cwd: root })[0] ?? ''
    program(`bin/${name}`, start(name === 'ruby' ? '' : `"$root/${script}" `))
  }
}

const BOOT = `# frozen_string_literal: true

$LOAD_PATH.reject! { |path| path.start_with?("#{__dir__}/") }
$LOAD_PATH.map! { |path| path.start_with?("/usr/lib/") ? "#{__dir__}#{path}" : path }
require "rubygems"
require "error_highlight"
require "did_you_mean"
`
