/** Who sent a request, where proxies stand in front. */
import ipaddr from 'ipaddr.js'
import type { HttpRequest } from './message.ts'

type Block = ReturnType<typeof ipaddr.parseCIDR>

/** @throws {Error} for a text that is neither an address nor a CIDR block. */
export function blockOf(text: string): Block {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const address = ipaddr.process(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/**
 * The address of a client. Proxies add the address that they see at the end of `X-Forwarded-For`; the last one that is
 * no proxy of ours is the client's. What stands before it, the client may have made up.
 *
 * @param proxies Those that are trusted.
 */
export function clientOf({ remote = '', headers }: HttpRequest, proxies: readonly Block[]): string {
  const forwarded = (headers['x-forwarded-for'] ?? '').split(',').map((one) => one.trim())
  let client = remote
  for (const address of forwarded.filter((one) => one !== '').reverse()) {
    if (!isWithin(client, proxies)) break
    client = address
  }
  return client
}

function isWithin(text: string, blocks: readonly Block[]): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return blocks.some(
    (block) =>
      block[0].kind() === address.kind() &&
      (address as ipaddr.IPv4).match(block as [ipaddr.IPv4, number]),
  )
}
