import type { AccountCaller } from '../access/callers.ts'
import type { AppContext } from '../settings/app-context.ts'

/** Events created on the command line belong to the first active super_admin. */
export async function findOwner({ db }: AppContext): Promise<AccountCaller> {
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('role', '=', 'super_admin')
    .where('is_active', '=', 1)
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return { user, scope: null, via: 'header' }
}
