import { main } from './cli/main.ts'

// A reader that has seen enough (`… | head -1`) must not end the server.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

const code = await main(process.argv.slice(2))
if (code !== null) process.exitCode = code
