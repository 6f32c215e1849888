import { getFirstSuperAdmin } from '../access/account-rows.ts'
import type { AccountCaller } from '../access/callers.ts'
import type { AppContext } from '../settings/app-context.ts'

/** Events created on the command line belong to the first active super_admin. */
export const findOwner = async ({ db }: AppContext): Promise<AccountCaller> => ({
  user: await getFirstSuperAdmin(db),
  scope: null,
  via: 'header',
})
