/** Numbers as options take them. Each throws an InvalidArgumentError for any other text. */
import { InvalidArgumentError } from 'commander'

export function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65535) {
    throw new InvalidArgumentError('Use a number from 0 to 65535.')
  }
  return port
}

export function parseFactor(text: string): number {
  const factor = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || factor > 1000) {
    throw new InvalidArgumentError('Use a number from 0 to 1000, for example 0.001.')
  }
  return factor
}

export function parseTimeout(text: string): number {
  const seconds = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || seconds < 0.001 || seconds > 600) {
    throw new InvalidArgumentError('Use a number of seconds from 0.001 to 600.')
  }
  return seconds
}

export function parseSeconds(text: string): number {
  const seconds = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || seconds > 600) {
    throw new InvalidArgumentError('Use a number of seconds from 0 to 600.')
  }
  return seconds
}

export function parseDays(text: string): number {
  const days = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || days > 36_500) {
    throw new InvalidArgumentError('Use a number of days, for example 30.')
  }
  return days
}
