// Code of a guide as a program that the harness of the witnesses compiles and runs.

type Wrap = (code: string) => string

/** The lines of imports, and the others. */
function apart(code: string): [imports: string, body: string] {
  const isImport = /^(?:import|from) /
  const lines = code.split('\n')
  const some = (test: boolean) => lines.filter((line) => isImport.test(line) === test).join('\n')
  return [some(true), some(false).trim()]
}

function indented(code: string, indent: string): string {
  return code.replace(/^(?=.)/gm, indent)
}

function isCall(code: string): boolean {
  return /\bclient\b/.test(code)
}

export const WRAPS: Readonly<Record<string, Wrap>> = {
  typescript: (code) => {
    const [imports, body] = apart(code)
    return isCall(code)
      ? `import type { Shop } from '@shop/sdk'\n${imports}\nexport async function call(client: Shop) {\n${body}\n}\n`
      : `import type { WebhookEvent } from '@shop/sdk/webhooks'\n${imports}\nexport function handle(event: WebhookEvent) {\n${body}\n}\n`
  },
  python: (code) => {
    const [imports, body] = apart(code)
    const inside = indented(body, '    ')
    return isCall(code)
      ? `from shop import Shop\n${imports}\n\n\ndef call(client: Shop) -> None:\n${inside}\n`
      : `from shop.webhooks import Event\n${imports}\n\n\ndef handle(event: Event) -> None:\n${inside}\n`
  },
  ruby: (code) =>
    isCall(code) ? `def call(client)\n${code}\nend\n` : `def handle(event)\n${code}\nend\n`,
  go: (code) => {
    const open = 'import (\n\t"context"\n\t"errors"\n\t"fmt"\n\t"time"\n\n\t"example.com/shop"\n)'
    const used = 'var _, _, _, _ = fmt.Println, errors.As, context.Background, time.Now'
    const program = isCall(code)
      ? `func Call(ctx context.Context, client *shop.Client) (any, error) {\n\treturn nil, run(ctx, client)\n}\n\nfunc run(ctx context.Context, client *shop.Client) error {\n${code}\n\treturn nil\n}\n`
      : `func Handle(event shop.Event) any {\n${code}\n\treturn nil\n}\n`
    return `package caller\n\n${open}\n\n${used}\n\n${program}`
  },
}
