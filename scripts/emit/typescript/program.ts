import { keyVariable, type ProgramWriter, targetOf } from '../core/program.ts'
import { propertyKey, quote } from './literal.ts'
import { expression } from './readme.ts'

export const programs: ProgramWriter = {
  withSdk({ call, origin, key, headers }, api) {
    const { client, npm } = api.platform
    const fields = headers.map(([name, value]) => `${propertyKey(name)}: ${quote(value)}`)
    const options = [
      ...(key === null ? [] : [`idempotencyKey: ${quote(key)}`]),
      ...(fields.length > 0 ? [`headers: { ${fields.join(', ')} }`] : []),
    ].join(', ')
    const made = `await ${expression(call, options === '' ? null : `{ ${options} }`)}`
    const isEmpty = call.operation.result.format === 'none'
    return `import { ${client} } from ${quote(npm)}

// Reads the API key from ${keyVariable(api)}.
const client = new ${client}({ baseURL: ${quote(origin)} })

${isEmpty ? made : `const result = ${made}\nconsole.log(result)`}
`
  },

  plain(sent, api) {
    const { method, origin, headers, hasKey, body } = sent
    const key = hasKey ? [`authorization: \`Bearer \${process.env.${keyVariable(api)}}\``] : []
    const others = Object.entries(headers).map(
      ([name, value]) => `${propertyKey(name)}: ${quote(value)}`,
    )
    const isDropped = method === 'GET' || method === 'HEAD'
    const text = body?.isBase64
      ? `Buffer.from(${quote(body.text)}, 'base64')`
      : quote(body?.text ?? '')
    const fields = [...key, ...others].map((field) => `    ${field},`)
    const options = [
      ...(body && isDropped ? [`  // fetch sends no body with ${method}.`] : []),
      `  method: ${quote(method)},`,
      ...(fields.length > 0 ? ['  headers: {', ...fields, '  },'] : []),
      ...(body && !isDropped ? [`  body: ${text},`] : []),
    ]
    return `const response = await fetch(${quote(origin + targetOf(sent))}, {
${options.join('\n')}
})
console.log(response.status, await response.text())
`
  },
}
