import type { Role } from '../../contract/access.ts'
import type { Move } from './move-context.ts'
import type { MovedAccess } from './move-report.ts'
import { findNamesake, readAccounts, readTokens, replaces } from './read-accounts.ts'

/** Lists the accounts that the import would add, and the API tokens that would work. */
export async function listAccess(move: Move): Promise<MovedAccess> {
  const [knownAccounts, knownTokens] = [await move.moved.list('account'), await move.moved.list('token')]
  const access: MovedAccess = { accounts: [], tokens: [] }
  const holders = new Map<number, { username: string; role: Role }>()
  for (const account of await readAccounts(move)) {
    const namesake = await findNamesake(move, account)
    const isNew = !knownAccounts.has(String(account.id)) && (!namesake || replaces(move, namesake))
    const { username, email, role, isActive } = account
    if (isNew) access.accounts.push({ username, email, role, isActive: isActive === 1 })
    if (isNew) holders.set(account.id, { username, role })
    else if (namesake && move.accounts === 'keep') holders.set(account.id, namesake)
  }
  // Other tokens arrive revoked.
  if (!move.keepsIds) return access
  const now = move.ctx.clock.now()
  for (const { row, name, hash, accountId, scope, expiresAt, revokedAt } of await readTokens(move)) {
    const holder = holders.get(accountId)
    const hasEnded = revokedAt !== null || (expiresAt !== null && expiresAt <= now)
    if (!holder || hash === null || hasEnded || knownTokens.has(String(row.id))) continue
    access.tokens.push({ name, username: holder.username, role: holder.role, scope })
  }
  return access
}
