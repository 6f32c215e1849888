import { must } from '../../contract/must.ts'
import type { AccountRecord } from '../../contract/people.ts'
import type { User } from '../access/account-rows.ts'
import { presentEvents } from '../events/event-rows.ts'
import { toPagination } from '../platform/database/pagination.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { isoTime, isoTimeOrNull } from '../platform/time/clock.ts'

export async function listUsers(ctx: PlatformContext, { page, limit }: { page: number; limit: number }) {
  const users = ctx.db.selectFrom('users')
  const { total } = await users.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await users
    .selectAll()
    .orderBy('id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { users: await accountRecords(ctx, rows), pagination: toPagination({ page, limit }, total) }
}

export async function accountRecord(ctx: PlatformContext, user: User): Promise<AccountRecord> {
  const [record] = await accountRecords(ctx, [user])
  return must(record, 'the record of an account')
}

async function accountRecords({ db, clock }: PlatformContext, users: readonly User[]): Promise<AccountRecord[]> {
  if (users.length === 0) return []
  const ids = users.map(({ id }) => id)
  const invites = await db
    .selectFrom('invites')
    .select(['user_id', 'session_version', 'expires_at'])
    .where('user_id', 'in', ids)
    .where('expires_at', '>', clock.now())
    .execute()
  const counts = await db
    .selectFrom(presentEvents(db))
    .select(['created_by', ({ fn }) => fn.countAll<number>().as('count')])
    .where('created_by', 'in', ids)
    .groupBy('created_by')
    .execute()
  const factors = await db
    .selectFrom('second_factors')
    .select('user_id')
    .where('user_id', 'in', ids)
    .where('confirmed_at', 'is not', null)
    .execute()
  return users.map((user) => {
    const invite = invites.find(({ user_id }) => user_id === user.id)
    const isOpen = user.is_active === 1 && invite?.session_version === user.session_version
    return {
      id: user.id,
      username: user.username,
      email: user.email,
      role: user.role,
      is_active: user.is_active === 1,
      mustChangePassword: user.must_change_password === 1,
      has_second_factor: factors.some(({ user_id }) => user_id === user.id),
      has_password: user.password_hash !== '',
      invite_expires_at: isOpen ? isoTime(invite.expires_at) : null,
      event_count: Number(counts.find(({ created_by }) => created_by === user.id)?.count ?? 0),
      created_at: isoTime(user.created_at),
      last_login_at: isoTimeOrNull(user.last_login_at),
    }
  })
}
