import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { matcher, readPage } from '../../scripts/newcomer/page.ts'
import { registries } from '../../scripts/toolchain/registries.ts'
import { linksOf } from './guide-programs.ts'
import { languages } from './languages.ts'
import { removeFolder, repository, temporaryFolder } from './packages.ts'
import { type Finished, run } from './processes.ts'

test.each(languages)(
  'docs/start.md leads from nothing to a verified webhook in $name',
  async ({ name }) => {
    const packs = ['--packs', inject('packs')]
    const { status, stdout, stderr } = await newcomer(...packs, '--keep-caches', '--language', name)
    expect({ status, stderr }, stderr).toEqual({
      status: 0,
      stderr: expect.stringMatching(/^\w+\n$/),
    })
    expect(stdout).toMatch(
      /^\| Language \| Install \| .* \| All \|\n.*\n\| \w+( \| \d+:\d\d){4} \|\n$/,
    )
  },
)

test('it links to what exists', async () => {
  const { links, broken } = await linksOf(path.join(repository, 'docs/start.md'))
  expect(links.length).toBeGreaterThan(0)
  expect(broken).toEqual([])
})

test('a reader of one language sees what all share, and the own tab', () => {
  const tabs =
    '<!-- tabs -->\n\n**Ada**\n\n```sh\nada\n```\n\n**Go**\n\n```sh\ngo\n```\n\n<!-- /tabs -->\n'
  const page = `# Page\n\n## Nothing\n\n## Install\n\n\`\`\`sh\nboth\n\`\`\`\n\n${tabs}`
  const type = (script: string) => ({ kind: 'type', script })
  expect(readPage(page, 'Ada')).toEqual([
    { title: 'Install', acts: [type('both\n'), type('ada\n')] },
  ])
  expect(() => readPage(page, 'Cobol')).toThrow('no tab for Cobol')
})

test('a program that does not say how it is run is no step', () => {
  expect(() => readPage('## Call\n\n```ts\nconst a = 1\n```\n', 'TypeScript')).toThrow('first line')
})

test('what is shown has to be printed, but for what differs each time', () => {
  expect('first\nevt_17 sent\n').toMatch(matcher('evt_… sent'))
  expect('evt_17 sent twice').not.toMatch(matcher('evt_… sent'))
})

test('packages that are not as the page says fail, with what was printed', async ({
  onTestFinished,
}) => {
  const nothing = await temporaryFolder()
  onTestFinished(() => removeFolder(nothing))
  const { status, stdout, stderr } = await newcomer(
    '--packs',
    nothing,
    '--language',
    languages[0]?.name ?? '',
  )
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('npm install --save-dev')
})

test.each([
  [['--language', 'cobol'], 'cobol'],
  [['--fast'], '--fast'],
])('%j is wrong usage', async (options, named) => {
  const { status, stderr } = await newcomer(...options)
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(named) })
  expect(stderr).toContain('Usage: npm run newcomer')
})

function newcomer(...options: string[]): Promise<Finished> {
  const script = path.join(repository, 'scripts/newcomer.ts')
  return run([process.execPath, script, ...options], { cwd: repository, env: registries })
}
