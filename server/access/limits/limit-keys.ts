import { createHmac } from 'node:crypto'
import { nameKey, type User } from '../account-rows.ts'

// Limits count by the keys of existing things. Names that a client invents share a fixed number of keys, so that they
// cannot fill tables or displace other counts.

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
  // The key depends on the address, so names that share a key at one address do not share one at another.
  if (!user) return unknownKey(`account ${address} ${nameKey(login)}`)
  const [byName, byEmail] = accountKeys(user)
  return user.username_key === nameKey(login) ? byName : byEmail
}

/** For users who have already shown the password or a session, so that failures count regardless of the next login. */
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
