import { indented, keyVariable, type ProgramWriter, targetOf } from '../core/program.ts'
import { quote } from './literal.ts'
import { importOf, Writer } from './readme.ts'

const FAILS = ['if err != nil {', '\tlog.Fatal(err)', '}']

export const programs: ProgramWriter = {
  withSdk({ call, origin, key, headers }, api) {
    const { goPackage } = api.platform
    const writer = new Writer(api)
    const union = call.body?.union
    if (union && !writer.types.tagged(union)) return null
    const more = [
      ...(key === null ? [] : [`${goPackage}.WithIdempotencyKey(${quote(key)})`]),
      ...headers.map(([name, value]) => `${goPackage}.WithHeader(${quote(name)}, ${quote(value)})`),
    ]
    const made = writer.call(call, { ctx: 'context.Background()', more })
    const isEmpty = call.operation.result.format === 'none'
    const lines = [
      `// Reads the API key from ${keyVariable(api)}.`,
      `client, err := ${goPackage}.NewClient(${goPackage}.WithBaseURL(${quote(origin)}))`,
      ...FAILS,
      ...(isEmpty
        ? [`err = ${made}`, ...FAILS]
        : [`result, err := ${made}`, ...FAILS, 'fmt.Printf("%+v\\n", result)']),
    ]
    const standard = ['context', ...(isEmpty ? [] : ['fmt']), 'log'].map(quote)
    return program([...standard, '', importOf(api.platform)], lines)
  },

  plain(sent, api) {
    const { method, origin, headers, hasKey, body } = sent
    const text = quote(body?.text ?? '')
    const reader = body
      ? body.isBase64
        ? 'bytes.NewReader(content)'
        : `strings.NewReader(${text})`
      : 'nil'
    const url = quote(origin + targetOf(sent))
    const key = `request.Header.Set("authorization", "Bearer "+os.Getenv(${quote(keyVariable(api))}))`
    const lines = [
      ...(body?.isBase64
        ? [`content, err := base64.StdEncoding.DecodeString(${text})`, ...FAILS]
        : []),
      `request, err := http.NewRequest(${quote(method)}, ${url}, ${reader})`,
      ...FAILS,
      ...(hasKey ? [key] : []),
      ...Object.entries(headers).map(
        ([name, value]) => `request.Header.Set(${quote(name)}, ${quote(value)})`,
      ),
      'response, err := http.DefaultClient.Do(request)',
      ...FAILS,
      'defer response.Body.Close()',
      'answer, err := io.ReadAll(response.Body)',
      ...FAILS,
      'fmt.Println(response.Status, string(answer))',
    ]
    const packages = [
      ...(body?.isBase64 ? ['bytes', 'encoding/base64'] : []),
      ...['fmt', 'io', 'log', 'net/http'],
      ...(hasKey ? ['os'] : []),
      ...(body && !body.isBase64 ? ['strings'] : []),
    ]
    return program(packages.map(quote), lines)
  },
}

function program(imports: readonly string[], lines: readonly string[]): string {
  return `package main

import (
${indented(imports.join('\n'), '\t')}
)

func main() {
${indented(lines.join('\n'), '\t')}
}
`
}
