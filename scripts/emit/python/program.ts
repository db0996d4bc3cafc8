import { indented, keyVariable, type ProgramWriter, targetOf } from '../core/program.ts'
import { dictionary, quote } from './literal.ts'
import { Writer } from './readme.ts'

export const programs: ProgramWriter = {
  withSdk({ call, origin, key, headers }, api) {
    const { client } = api.platform
    const writer = new Writer(api)
    const more = dictionary(headers.map(([name, value]) => [name, quote(value)]))
    const made = writer.call(call, key, headers.length > 0 ? [`extra_headers=${more}`] : [])
    const isEmpty = call.operation.result.format === 'none'
    return `${writer.imports([client], call)}

# Reads the API key from ${keyVariable(api)}.
with ${client}(base_url=${quote(origin)}) as client:
${indented(isEmpty ? made : `result = ${made}\nprint(result)`, '    ')}
`
  },

  plain(sent, api) {
    const { method, origin, headers, hasKey, body } = sent
    const { protocol, host } = new URL(origin)
    const connection = protocol === 'https:' ? 'HTTPSConnection' : 'HTTPConnection'
    const fields = [
      ...(hasKey
        ? [`${quote('authorization')}: "Bearer " + os.environ[${quote(keyVariable(api))}],`]
        : []),
      ...Object.entries(headers).map(([name, value]) => `${quote(name)}: ${quote(value)},`),
    ]
    const text = quote(body?.text ?? '')
    const items = [
      `${quote(method)},`,
      `${quote(targetOf(sent))},`,
      ...(body
        ? [`body=${body.isBase64 ? `base64.b64decode(${text})` : `${text}.encode()`},`]
        : []),
      ...(fields.length > 0 ? ['headers={', ...fields.map((field) => `    ${field}`), '},'] : []),
    ]
    const imports = [
      ...(body?.isBase64 ? ['import base64'] : []),
      'import http.client',
      ...(hasKey ? ['import os'] : []),
    ]
    return `${imports.join('\n')}

connection = http.client.${connection}(${quote(host)})
connection.request(
${indented(items.join('\n'), '    ')}
)
response = connection.getresponse()
print(response.status, response.read().decode())
`
  },
}
