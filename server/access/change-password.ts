import type { Backends } from '../platform/backends.ts'
import { invalidField, Refusal } from '../platform/refusal.ts'
import type { Access } from './access.ts'
import { findUser, type User } from './account-rows.ts'
import { setPassword } from './accounts.ts'
import { isRightPassword } from './passwords.ts'
import { tryPassword } from './sign-in-lock.ts'

type Change = { currentPassword: string; newPassword: string }

/** Ends all older sessions and answers a new one. Throws INVALID_CREDENTIALS for a wrong current password. */
export async function changePassword(
  house: Backends & { access: Access },
  user: User,
  { currentPassword, newPassword }: Change,
): Promise<{ token: string; user: User }> {
  const isRight = () => isRightPassword(user.password_hash, currentPassword)
  await tryPassword(house, { account: user.username, address: 'change-password', isRight })
  if (newPassword === currentPassword) throw invalidField('newPassword', 'must be another one than before')
  await setPassword(house, user, newPassword, { mustChangePassword: false })

  const changed = await findUser(house.db, user.id)
  if (!changed) throw new Refusal('INVALID_TOKEN')
  return { token: house.access.signAdminSession(changed), user: changed }
}
