import { format } from '@wasm-fmt/gofmt'
import { expect, it } from 'vitest'
import { formatGo } from '../emit/go/format.ts'

const CLAUSE = 'package thing\n\nimport "fmt"\n\n'
const declaration = (index: number) =>
  `// Thing${index} is one of many.\ntype Thing${index} struct {\nA int\nLonger   string // What it is.\n}\n`

const whole = (content: string) => formatGo([{ path: 'thing.go', content }])[0]?.content

it('a file that is formatted in parts is as one that is formatted at once', () => {
  const many = Array.from({ length: 6000 }, (_, index) => declaration(index)).join('\n')
  const content = `${CLAUSE}${many}\nfunc main() { fmt.Println(Thing1{}) }\n`
  expect(content.length).toBeGreaterThan(400_000)
  expect(whole(content)).toBe(format(content))
})

it('a part never ends within a string that looks like a declaration', () => {
  const text = `\`${'\n\nfunc   main() {}'.repeat(20_000)}\``
  const content = `${CLAUSE}const text = ${text}\n\nfunc main() { fmt.Println(text) }\n`
  expect(whole(content)).toBe(format(content))
  expect(whole(content)).toContain(text)
})

it('a file that is not valid is named, with its text', () => {
  expect(() => whole(`${CLAUSE}func main() {`)).toThrow(/^thing\.go is not valid:\npackage thing/)
})
