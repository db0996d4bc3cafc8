import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tls } from '../door/listener.ts'
import { InputError } from './inputs.ts'

export interface TlsOptions {
  https?: true
  cert?: string
  key?: string
}

/** The names that the own certificate is for. */
const NAMES = [
  { type: 'dns', value: 'localhost' },
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
] as const
const YEAR = 365 * 24 * 3_600_000

/**
 * The certificate and its key: those that are given, or own ones for this machine, which are kept in the folder.
 *
 * @returns the path of the own certificate, for programs that are to trust it
 * @throws {InputError} for files that cannot be read, and for one without the other
 */
export async function tlsOf(
  { https, cert, key }: TlsOptions,
  folder: string,
): Promise<{ tls?: Tls; own?: string }> {
  if ((cert === undefined) !== (key === undefined))
    throw new InputError('--cert and --key belong together. Give both, or --https alone.')
  if (cert !== undefined && key !== undefined)
    return { tls: { cert: read(cert, '--cert'), key: read(key, '--key') } }
  if (!https) return {}
  const files = { cert: join(folder, 'localhost.crt'), key: join(folder, 'localhost.key') }
  if (!existsSync(files.cert) || !existsSync(files.key)) await make(files, folder)
  const tls = { cert: read(files.cert, '--data-dir'), key: read(files.key, '--data-dir') }
  return { tls, own: files.cert }
}

async function make(files: { cert: string; key: string }, folder: string): Promise<void> {
  // Loaded here, since few servers need it.
  const loaded = await import('selfsigned')
  // A bundle has the functions of a CommonJS package only here.
  const { generate } = 'default' in loaded ? (loaded.default as typeof loaded) : loaded
  const made = await generate([{ name: 'commonName', value: 'localhost' }], {
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + YEAR),
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: NAMES.map(({ type, value }) =>
          type === 'dns' ? { type: 2, value } : { type: 7, ip: value },
        ),
      },
    ],
  })
  mkdirSync(folder, { recursive: true })
  writeFileSync(files.key, made.private, { mode: 0o600 })
  writeFileSync(files.cert, made.cert)
}

function read(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new InputError(
      `${option}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    )
  }
}

/** How programs trust the own certificate. */
export function trust(file: string): string {
  return `Certificate:   ${file}\nTo trust it: export NODE_EXTRA_CA_CERTS='${file}', or curl --cacert '${file}'\n`
}
