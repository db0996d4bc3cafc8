/** What is logged; each level includes the ones before it. */
export const LEVELS = ['silent', 'error', 'warn', 'info'] as const
export type Level = (typeof LEVELS)[number]

/** Writes structured lines, never with headers, bodies or queries, which may hold secrets. */
export interface Log {
  error(message: string, fields?: object): void
  warn(message: string, fields?: object): void
  info(message: string, fields?: object): void
}

/** A log of JSON lines on stderr. @param beside Further fields of each line */
export function createLog(level: Level, beside: () => object | undefined = () => undefined): Log {
  const write = (of: Level) =>
    LEVELS.indexOf(of) > LEVELS.indexOf(level)
      ? () => {}
      : (message: string, fields: object = {}) => {
          const line = {
            time: new Date().toISOString(),
            level: of,
            message,
            ...fields,
            ...beside(),
          }
          process.stderr.write(`${JSON.stringify(line)}\n`)
        }
  return { error: write('error'), warn: write('warn'), info: write('info') }
}
