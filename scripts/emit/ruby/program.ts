import { indented, keyVariable, type ProgramWriter, targetOf } from '../core/program.ts'
import { Declarations } from './declarations.ts'
import { quote } from './literal.ts'
import { expression } from './readme.ts'

export const programs: ProgramWriter = {
  withSdk({ call, origin, key, headers }, api) {
    const { gem, rubyModule } = api.platform
    const fields = headers.map(([name, value]) => `${quote(name)} => ${quote(value)}`)
    const options = [
      ...(key === null ? [] : [`idempotency_key: ${quote(key)}`]),
      ...(fields.length > 0 ? [`headers: { ${fields.join(', ')} }`] : []),
    ].join(', ')
    const more = options === '' ? [] : [`request_options: { ${options} }`]
    const made = expression(call, new Declarations(api), more)
    const isEmpty = call.operation.result.format === 'none'
    return `require ${quote(gem)}

# Reads the API key from ${keyVariable(api)}.
client = ${rubyModule}::Client.new(base_url: ${quote(origin)})

${isEmpty ? made : `result = ${made}\np result`}
`
  },

  plain(sent, api) {
    const { method, origin, headers, hasKey, body } = sent
    const { protocol, hostname, port } = new URL(origin)
    const isSecure = protocol === 'https:'
    const fields = [
      ...(hasKey ? [`"authorization" => "Bearer #{ENV.fetch(${quote(keyVariable(api))})}",`] : []),
      ...Object.entries(headers).map(([name, value]) => `${quote(name)} => ${quote(value)},`),
    ]
    const hash = fields.length > 0 ? `{\n${indented(fields.join('\n'), '  ')}\n}` : '{}'
    const text = quote(body?.text ?? '')
    const data = body ? (body.isBase64 ? `${text}.unpack1("m")` : text) : 'nil'
    // `send_request` expects a body in the response to a HEAD.
    const target = quote(targetOf(sent))
    const made =
      method === 'HEAD'
        ? `http.head(${target}, headers)`
        : `http.send_request(${quote(method)}, ${target}, ${data}, headers)`
    return `require "net/http"

http = Net::HTTP.new(${quote(hostname)}, ${port || (isSecure ? 443 : 80)})
${isSecure ? 'http.use_ssl = true\n' : ''}headers = ${hash}
response = ${made}
puts response.code, response.body
`
  },
}
