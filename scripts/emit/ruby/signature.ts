import type { RubyWriter } from './file.ts'

/** One way to call a method, in the RBS that Ruby 3.1 brings. */
export interface Overload {
  parameters: readonly string[]
  result: string
}

/** Writes a method: a line per way to call it, or else a line per parameter. */
export function signature(name: string, overloads: readonly Overload[], file: RubyWriter): void {
  const define = `def ${name}`
  const ways = overloads.map(({ parameters, result }, index) => {
    const lead = index === 0 ? `${define}: ` : `${' '.repeat(define.length)}| `
    return { lead, parameters, result, line: `${lead}(${parameters.join(', ')}) -> ${result}` }
  })
  const areShort = ways.every(({ line }) => file.fits(line))
  // Several ways stand one below the other.
  const margin = ways.length > 1 ? ' '.repeat(define.length + 2) : ''
  for (const { lead, parameters, result, line } of ways) {
    const inside = () => file.lines(parameters.map((one) => margin + one).join(',\n'))
    if (areShort) file.lines(line)
    else file.block(`${lead}(`, inside, `${margin}) -> ${result}`)
  }
}
