import type { PlatformContext } from '../platform/platform-context.ts'
import type { Access } from './access.ts'
import type { User } from './account-rows.ts'
import { startFamily } from './refresh-families.ts'

export type SignedIn = { token: string; refreshToken: string; user: User }

export async function startSession(ctx: PlatformContext & { access: Access }, user: User): Promise<SignedIn> {
  const family = await startFamily(ctx, user)
  return { token: ctx.access.signAdminSession(family), refreshToken: ctx.access.signRefreshToken(family), user }
}
