// The day of the launch: the contract gains the public address of the service, and the SDKs follow.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../repository.ts'
import * as go from '../toolchain/languages/go.ts'
import * as python from '../toolchain/languages/python.ts'
import * as ruby from '../toolchain/languages/ruby.ts'
import { generate, modelOf, write } from './support.ts'

const SERVER = 'https://api.acme.test/chat'

function documentWith(servers: readonly unknown[], path = '/v1/ping'): string {
  const responses = { 204: { description: 'It is there.' } }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Ping', version: '1' },
    servers,
    paths: { [path]: { get: { responses } } },
  })
}

describe('the server of a document', () => {
  const address = async (...servers: unknown[]) => {
    return (await modelOf(write(documentWith(servers), 'openapi.json'))).server
  }

  it('is its first address, with the defaults of variables and without a trailing slash', async () => {
    expect(await address({ url: `${SERVER}/` }, { url: 'https://eu.acme.test' })).toBe(SERVER)
    const variables = { region: { default: 'eu' } }
    const url = 'https://{region}.acme.test'
    expect(await address({ url, variables })).toBe('https://eu.acme.test')
  })

  it.each(['/', '{base_url}', 'http://127.0.0.1:4010', 'http://localhost:3000', 'http://[::1]:80'])(
    'is none where it is a placeholder: %s',
    async (url) => {
      const variables = url.includes('{') ? { base_url: { default: 'http://127.0.0.1:4010' } } : {}
      expect(await address({ url, variables })).toBeNull()
    },
  )

  it('is none, but not silently, where it holds the prefix of all paths', async () => {
    const document = write(documentWith([{ url: `${SERVER}/v1` }]), 'openapi.json')
    const { exit, messages } = await generate(document)
    expect(exit).toBe(0)
    expect(messages).toEqual([expect.stringContaining('ends in /v1, which all paths begin with')])
  })
})

/** Prints the base URL of a client without options, and of one with. */
const PROGRAMS: Readonly<
  Record<string, (folder: string, env: NodeJS.ProcessEnv) => Promise<string>>
> = {
  async typescript(folder, env) {
    const bundle = join(folder, 'bundle.mjs')
    await build({
      entryPoints: [join(folder, 'src/index.ts')],
      ...{ bundle: true, format: 'esm', platform: 'node', outfile: bundle, logLevel: 'silent' },
      nodePaths: [join(ROOT, 'node_modules')],
    })
    const script = `import { SampleService as Client } from ${JSON.stringify(bundle)}
      console.log(new Client().baseURL, new Client({ baseURL: 'http://given.test' }).baseURL)`
    return output(process.execPath, ['--input-type=module', '-e', script], folder, env)
  },
  async python(folder, env) {
    const script = `from sample_service import SampleService as Client
print(*(repr(one).split("'")[1] for one in (Client(), Client(base_url="http://given.test"))))`
    const path = { PYTHONPATH: join(folder, 'src'), PYTHONDONTWRITEBYTECODE: '1' }
    return output(python.tool('python'), ['-c', script], folder, { ...env, ...path })
  },
  async ruby(folder, env) {
    const script = `require "sample_service"
clients = [SampleService::Client.new, SampleService::Client.new(base_url: "http://given.test")]
puts clients.map { |client| client.inspect[/"(.*)"/, 1] }.join(" ")`
    return output(ruby.programs.ruby, ['-I', 'lib', '-e', script], folder, env)
  },
  async go(folder, env) {
    mkdirSync(join(folder, 'launch'))
    writeFileSync(join(folder, 'launch/main.go'), GO)
    return output(go.programs.go, ['run', './launch'], folder, env)
  },
}

const GO = `package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	sdk "github.com/sample-service/sample-service/sdks/go"
)

type seen struct{ urls []string }

func (s *seen) RoundTrip(r *http.Request) (*http.Response, error) {
	s.urls = append(s.urls, strings.TrimSuffix(r.URL.String(), "/v1/ping"))
	return &http.Response{StatusCode: 204, Body: http.NoBody, Request: r}, nil
}

func main() {
	transport := &seen{}
	web := sdk.WithHTTPClient(&http.Client{Transport: transport})
	for _, options := range [][]sdk.Option{{web}, {web, sdk.WithBaseURL("http://given.test")}} {
		client, err := sdk.NewClient(options...)
		if err == nil {
			err = client.Ping.Get(context.Background())
		}
		if err != nil {
			panic(err)
		}
	}
	fmt.Println(strings.Join(transport.urls, " "))
}
`

describe.each(Object.entries(PROGRAMS))('the clients of %s', (language, run) => {
  const folderOf = async (servers: readonly unknown[]) => {
    return join((await generate(write(documentWith(servers), 'openapi.json'))).out, language)
  }

  it('take the option, else the variable, else the address of the contract', async () => {
    const folder = await folderOf([{ url: SERVER }])
    expect(await run(folder, {})).toBe(`${SERVER} http://given.test`)
  })

  it('prefer the variable to the contract', async () => {
    const folder = await folderOf([{ url: SERVER }])
    const env = { SAMPLE_SERVICE_BASE_URL: 'http://environment.test' }
    expect(await run(folder, env)).toBe('http://environment.test http://given.test')
  })

  it('have no default where the service has no public address', async () => {
    const folder = await folderOf([{ url: 'http://127.0.0.1:4010' }])
    await expect(run(folder, {})).rejects.toThrow(/No base URL\. Pass .* SAMPLE_SERVICE_BASE_URL/)
  })
})

function output(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): string {
  const all = { ...process.env, ...env }
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', env: all })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}
