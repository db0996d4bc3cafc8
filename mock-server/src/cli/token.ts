import { InputError } from './inputs.ts'

/**
 * The token that the control API and the dashboard require.
 *
 * @param name The variable that holds it, as `--control-token-env` names it.
 * @throws {InputError} for a variable that is not set
 */
export function readToken(name: string, environment = process.env): string {
  const token = Object.hasOwn(environment, name) ? environment[name]?.trim() : undefined
  if (token) return token
  // The name is not repeated: it may be the token itself.
  throw new InputError(
    'The variable that --control-token-env names is not set. Pass the name of an environment variable, not the token itself.',
  )
}
