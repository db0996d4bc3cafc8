import { expect, it } from 'vitest'
import { messages } from '../messages.ts'

it('finds messages, with code for values and identifiers', () => {
  const source = `
    throw new Problem(409, 'impossible_step', \`The endpoint \${id} is a listener. Set no handed_off.\`)
    const sql = 'SELECT id, key FROM sandboxes WHERE id = ?'`
  expect(messages(source)).toBe('The endpoint `value` is a listener. Set no `handed_off`.')
})

it('finds each text of a page', () => {
  const source = `html\`<p class="faint wide page">Agents reply through the \${name} API:
<code>POST</code></p>\${rated && html\`<p>No further action is possible.</p>\`}\``
  expect(messages(source)).toBe(
    'Agents reply through the `value` API:\n\nNo further action is possible.',
  )
})
