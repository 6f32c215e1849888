import { type RawBuilder, sql } from 'kysely'
import { roles } from '../../contract/access.ts'
import type { AccountCaller } from '../access/callers.ts'
import { hasPermission } from '../access/roles.ts'
import { AppError } from '../platform/app-error.ts'
import type { Tx } from '../platform/database/tables.ts'

/** Per account, over all its tokens. */
const maxTokenWebhooks = 100

/** The roles whose tokens can make webhooks. */
const roleNames = sql.join(roles.filter((role) => hasPermission(role, 'settings.edit')).map((role) => sql.lit(role)))

/**
 * A query condition on `webhooks`: the API token that made it is neither revoked nor expired, and its account is active
 * and may still make webhooks. True for webhooks of the instance.
 */
export const hasNotEnded = (now: number): RawBuilder<boolean> => sql<boolean>`(webhooks.token_id is null or exists (
  select 1 from api_tokens join users on users.id = api_tokens.user_id
  where api_tokens.id = webhooks.token_id and api_tokens.revoked_at is null
    and (api_tokens.expires_at is null or api_tokens.expires_at > ${now})
    and users.is_active = 1 and users.role in (${roleNames})))`

/** A query condition on `webhooks`: a token of the same account has made it. True for sessions. */
export const isVisibleTo = ({ user, tokenId }: Pick<AccountCaller, 'user' | 'tokenId'>): RawBuilder<boolean> =>
  tokenId === undefined
    ? sql<boolean>`true`
    : sql<boolean>`webhooks.token_id in (select id from api_tokens where user_id = ${user.id})`

/** Throws WEBHOOK_LIMIT_REACHED. */
export async function assertBelowWebhookLimit(tx: Tx, { user, tokenId }: AccountCaller): Promise<void> {
  if (tokenId === undefined) return
  const { count } = await tx
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(isVisibleTo({ user, tokenId }))
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxTokenWebhooks) throw new AppError('WEBHOOK_LIMIT_REACHED')
}

/** Returns those of the token webhooks that have not ended and whose account owns the event. */
export async function findWebhooksOfOwners(
  tx: Tx,
  webhookIds: readonly number[],
  eventId: number,
  now: number,
): Promise<Set<number>> {
  const owned = await tx
    .selectFrom('webhooks')
    .select('webhooks.id')
    .where('webhooks.id', 'in', webhookIds)
    .where(hasNotEnded(now))
    .where(
      sql<boolean>`exists (
        select 1 from api_tokens join users on users.id = api_tokens.user_id
        where api_tokens.id = webhooks.token_id and (users.role = 'super_admin'
          or users.id in (select created_by from events where id = ${eventId})
          or users.id in (select user_id from event_members where event_id = ${eventId})))`,
    )
    .execute()
  return new Set(owned.map(({ id }) => id))
}
