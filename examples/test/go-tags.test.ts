import { cp, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { go, MODULE } from './install-go.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { output } from './processes.ts'

const folder = await temporaryFolder()
afterAll(() => removeFolder(folder))

// The tag of a module in a folder begins with the folder. A tag of the whole repository is none of its.
const TAGS = ['sdks/go/v1.2.3', 'sdks/go/v1.3.0-rc.1', 'v7.0.0']

test('Go finds the versions of the module by the tags that begin with its folder', async () => {
  const versions = await go(['list', '-m', '-versions', MODULE], await emptyProject('list'), {
    ...(await repositoryOnly()),
    GOMODCACHE: path.join(folder, 'cache'),
  })
  expect(versions).toBe(`${MODULE} v1.2.3 v1.3.0-rc.1\n`)
})

test('an empty project gets a tagged version through a module proxy', async () => {
  const cache = path.join(folder, 'first')
  const direct = { ...(await repositoryOnly()), GOMODCACHE: cache }
  const downloaded = await go(['mod', 'download', '-json', `${MODULE}@v1.2.3`], folder, direct)
  expect(JSON.parse(downloaded)).toMatchObject({ Origin: { Ref: 'refs/tags/sdks/go/v1.2.3' } })

  // Go's own cache of downloads is laid out as a module proxy.
  const env = {
    GOPROXY: `file://${cache}/cache/download`,
    GOSUMDB: 'off',
    GOMODCACHE: path.join(folder, 'second'),
    GOFLAGS: '-mod=mod -modcacherw',
  }
  const project = await emptyProject('shop')
  await writeFile(
    path.join(project, 'main.go'),
    `package main\n\nimport ("fmt"; "${MODULE}")\n\nfunc main() { fmt.Println(supportchat.NewClient()) }\n`,
  )
  await go(['get', `${MODULE}@v1.2.3`], project, env)
  await go(['build', './...'], project, env)
  expect(await go(['list', '-m', 'all'], project, env)).toBe(`example.com/shop\n${MODULE} v1.2.3\n`)
})

async function emptyProject(name: string): Promise<string> {
  const project = path.join(folder, name)
  await mkdir(project)
  await go(['mod', 'init', `example.com/${name}`], project)
  return project
}

let made: Promise<string> | undefined

/** What makes Go read the module from a repository that holds the present files, under these tags. */
async function repositoryOnly(): Promise<Record<string, string>> {
  made ??= makeRepository()
  return {
    GOPROXY: 'direct',
    GOSUMDB: 'off',
    GOFLAGS: '-modcacherw',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: `url.file://${await made}.insteadOf`,
    GIT_CONFIG_VALUE_0: `https://${MODULE.split('/').slice(0, 3).join('/')}`,
  }
}

async function makeRepository(): Promise<string> {
  const root = path.join(folder, 'repository')
  await mkdir(root)
  const git = (...args: string[]) => output(['git', ...args], { cwd: root })
  const kept = await output(['git', 'ls-files', 'sdks/go/*.go', 'sdks/go/go.mod'], {
    cwd: repository,
  })
  for (const file of kept.trim().split('\n')) {
    await cp(path.join(repository, file), path.join(root, file))
  }
  await git('init', '--quiet')
  await git('add', '.')
  const author = ['-c', 'user.name=Release', '-c', 'user.email=release@example.com']
  await git(...author, 'commit', '--quiet', '--message', 'Release')
  for (const tag of TAGS) await git('tag', tag)
  return root
}
