import { InputError } from './inputs.ts'

/**
 * The token that the control API and the dashboard require, or that of the administrator.
 *
 * @param name The variable that holds it, as an option names it.
 * @throws {InputError} for a variable that is not set
 */
export function readToken(
  name: string,
  environment = process.env,
  option = '--control-token-env',
): string {
  const token = Object.hasOwn(environment, name) ? environment[name]?.trim() : undefined
  if (token) return token
  // The name is not repeated: it may be the token itself.
  throw new InputError(
    `The variable that ${option} names is not set. Pass the name of an environment variable, not the token itself.`,
  )
}
