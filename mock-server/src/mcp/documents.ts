/** The contract that a sandbox serves, and the control API for it. */
import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { CONTRACT, CONTROL, PREPARED, TEMPLATES } from '../assets.ts'
import { type Contract, loadContract, readPrepared } from '../contract/load.ts'

export interface Documents {
  contract: Contract
  control: Contract
}

/** @param text The contract, as the sandbox serves it. */
export async function documentsOf(text: string): Promise<Documents> {
  if (text === (await readFile(CONTRACT, 'utf8'))) {
    return {
      contract: await readPrepared(PREPARED, text),
      control: await readPrepared(CONTROL, ''),
    }
  }
  // The shipped contract needs none of these, which are most of the program.
  const [{ current }, { formsOf }, { Bindings }, { publish }] = await Promise.all([
    import('../contract/read.ts'),
    import('../contract/form.ts'),
    import('../sandbox/bindings.ts'),
    import('../sandbox/published.ts'),
  ])
  const contract = await loadContract(current(parse(text)), text)
  const templates = JSON.parse(await readFile(TEMPLATES, 'utf8'))
  const { control } = publish(templates, new Bindings(formsOf(contract)))
  return { contract, control: await loadContract(control, '') }
}
