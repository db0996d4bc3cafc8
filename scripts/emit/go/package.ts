import type { Api } from '../../model/types.ts'
import { header, type OutFile } from '../core/file.ts'

/**
 * The rest of a package for another contract: the runtime under its name, and files that build it.
 *
 * The runtime is whole, whatever the contract needs of it. There it is generated code and says so,
 * which is why linters do not ask for a use of each part.
 */
export function packageFiles(api: Api, runtime: readonly OutFile[]): OutFile[] {
  const { goModule, goPackage } = api.platform
  const sources = runtime
    .filter(({ path }) => isRuntime(path))
    .map(({ path, content }) => ({
      path,
      content: `// ${header(`sdks/go/${path}`)}\n\n${content.replace(/^package \w+$/m, `package ${goPackage}`)}`,
    }))
  const module = runtime
    .filter(({ path }) => path === 'go.mod')
    .map(({ path, content }) => ({
      path,
      content: content.replace(/^module .*$/m, `module ${goModule}`),
    }))
  const license = runtime.filter(({ path }) => path === 'LICENSE')
  return [...sources, ...module, ...license, { path: 'README.md', content: readme(api) }]
}

/** Whether a file of the package is written by hand and runs in programs. */
function isRuntime(path: string): boolean {
  return /^[^/]+\.go$/.test(path) && !/(?:_test|\.gen)\.go$/.test(path)
}

function readme({ platform, credential, title, summary }: Api): string {
  const { goModule, goPackage, envPrefix } = platform
  const variables = [...(credential ? [`${envPrefix}_API_KEY`] : []), `${envPrefix}_BASE_URL`]
  const lines = [
    `# ${goPackage}`,
    '',
    `The Go client of the ${platform.title} API, generated from its contract${title === platform.title ? '' : ` (${oneLineOf(title)})`}.`,
    ...(summary ? ['', oneLineOf(summary)] : []),
    '',
    'Use it from a module beside this folder:',
    '',
    '```sh',
    `go mod edit -replace ${goModule}=../go && go get ${goModule}`,
    '```',
    '',
    '```go',
    `import ${goPackage} "${goModule}"`,
    '',
    `client, err := ${goPackage}.NewClient() // reads ${variables.join(' and ')}`,
    '```',
    '',
  ]
  return lines.join('\n')
}

function oneLineOf(text: string): string {
  return text.replace(/[\s`<>[\]]+/g, ' ').trim()
}
