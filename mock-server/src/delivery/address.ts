/** Which addresses deliveries may go to: a sandbox must not be a way into a private network. */
import ipaddr from 'ipaddr.js'

/** Where cloud machines get their credentials. Always refused. */
const METADATA = [
  '169.254.169.254',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:c1::a9fe:a9fe',
  'fd00:ec2::254',
  'fd20:ce::254',
].map((text) => ipaddr.process(text).toNormalizedString())

/** Ranges of `ipaddr.js` in which a developer's own receiver may run. */
const PRIVATE = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat', 'unspecified'])
const PUBLIC = 'unicast'
/** The addresses that IPv6 assigns to networks. `ipaddr.js` classifies all the others as unicast too. */
const GLOBAL = ipaddr.parseCIDR('2000::/3')
/** The public translation of IPv4. Private ones hide an address anywhere. */
const NAT64 = ipaddr.parseCIDR('64:ff9b::/96')

export interface AddressPolicy {
  /** Whether loopback and private networks may be called. */
  allowPrivate: boolean
  /** Whether other networks may be called. @default true */
  allowPublic?: boolean
}

/**
 * Why an address must not be called; null where it may.
 *
 * @param text An IPv4 or IPv6 address without brackets, as a resolver returns it.
 */
export function refusalOf(
  text: string,
  { allowPrivate, allowPublic = true }: AddressPolicy,
): string | null {
  const bare = text.split('%', 1)[0] ?? ''
  if (!ipaddr.isValid(bare)) return 'its address cannot be read'
  // ::ffff:10.0.0.1 is 10.0.0.1.
  const address = ipaddr.process(bare)
  const forms = [address, ...embedded(address)]
  for (const form of forms) {
    if (METADATA.includes(form.toNormalizedString())) return 'it is the metadata service of a cloud'
    const range = form.range()
    if (range === 'linkLocal') return 'it is a link-local address'
    if (range === PUBLIC && (form.kind() === 'ipv4' || form.match(GLOBAL))) {
      if (!allowPublic) return 'it is not in a private network'
      continue
    }
    if (!PRIVATE.has(range)) {
      // A wrapper of an IPv4 address is judged by that address, and refused where there is none.
      if (forms.length > 1 && form === address) continue
      return `it is not an address of a receiver (${range})`
    }
    if (!allowPrivate) return 'it is in a private network'
  }
  return null
}

/** The IPv4 addresses that an IPv6 address leads to by translation or tunnel. */
function embedded(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4[] {
  if (address.kind() === 'ipv4') return []
  const bytes = address.toByteArray()
  const last = bytes.slice(12)
  const isIsatap = [0x00, 0x02].includes(bytes[8] ?? 0) && `${bytes.slice(9, 12)}` === '0,94,254'
  if (isIsatap || address.match(NAT64)) return [new ipaddr.IPv4(last)]
  if (address.range() === '6to4') return [new ipaddr.IPv4(bytes.slice(2, 6))]
  if (address.range() === 'teredo') return [new ipaddr.IPv4(last.map((byte) => byte ^ 0xff))]
  return []
}
