import { createHmac } from 'node:crypto'
import { nameKey, type User } from '../account-rows.ts'

// Limits count under keys of things that exist. What a client invents shares a fixed number of keys, so that it cannot
// fill tables or displace other counts.

const buckets = 1024

type UnknownKey = ReturnType<typeof createUnknownKeys>

/** The secret keeps clients from choosing texts that share a key. */
export function createUnknownKeys(secret: string) {
  return (text: string): string => {
    const digest = createHmac('sha256', secret).update(`limit ${text}`).digest()
    return `unknown ${digest.readUInt32BE(0) % buckets}`
  }
}

/**
 * The user name and the mail address have separate keys: a common one would show that they belong to one account,
 * because a lock through one would lock the other.
 */
export function accountKey(
  user: User | undefined,
  { login, address }: { login: string; address: string },
  unknownKey: UnknownKey,
): string {
  // With the address, names that share a key at one address do not share one at another.
  if (!user) return unknownKey(`account ${address} ${nameKey(login)}`)
  const [byName, byEmail] = accountKeys(user)
  return user.username_key === nameKey(login) ? byName : byEmail
}

/** For whoever has shown the password or a session already, so that failures count whatever the next login is. */
export const accountKeys = ({ id }: Pick<User, 'id'>): [byName: string, byEmail: string] => [
  `user ${id} name`,
  `user ${id} email`,
]

export const customerKey = (
  customer: { id: number } | undefined,
  { email, address }: { email: string; address: string },
  unknownKey: UnknownKey,
): string => (customer ? `customer ${customer.id}` : unknownKey(`customer ${address} ${nameKey(email)}`))

export const eventKey = (event: { id: number } | undefined, slug: string, unknownKey: UnknownKey): string =>
  event ? String(event.id) : unknownKey(`slug ${slug}`)
