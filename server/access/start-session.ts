import type { Backends } from '../platform/backends.ts'
import type { Access } from './access.ts'
import type { User } from './account-rows.ts'
import { startFamily } from './refresh-families.ts'

/** An admin session, what it is renewed with, and whose it is. */
export type SignedIn = { token: string; refreshToken: string; user: User }

/** Of an account that has proven who it is. */
export async function startSession(house: Backends & { access: Access }, user: User): Promise<SignedIn> {
  const family = await startFamily(house, user)
  return { token: house.access.signAdminSession(family), refreshToken: house.access.signRefreshToken(family), user }
}
