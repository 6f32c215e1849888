import { type RawBuilder, sql } from 'kysely'
import { roles } from '../../contract/access.ts'
import type { AccountCaller } from '../access/callers.ts'
import { hasPermission } from '../access/roles.ts'
import type { Tx } from '../platform/database/tables.ts'
import { AppError } from '../platform/errors/app-error.ts'

/** Per account, over all its tokens. */
const maxTokenWebhooks = 100

/** The roles whose tokens can make webhooks. */
const roleNames = sql.join(roles.filter((role) => hasPermission(role, 'settings.edit')).map((role) => sql.lit(role)))

/**
 * A query condition on `webhooks`: the API token that made it is not revoked and not expired, and its account is active
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

/** Like `isOwnedBy` of events, but an event in the trash still has its owners. */
const owns = (userId: RawBuilder<number | null>, eventId: RawBuilder<number | null>): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from users where users.id = ${userId} and (users.role = 'super_admin'
    or users.id in (select created_by from events where id = ${eventId})
    or users.id in (select user_id from event_members where event_id = ${eventId})))`

const accountOfToken = sql<number>`(select user_id from api_tokens where api_tokens.id = webhooks.token_id)`

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
    .where(owns(accountOfToken, sql`${eventId}`))
    .execute()
  return new Set(owned.map(({ id }) => id))
}

/**
 * A query condition on `webhooks`: a token has made it whose account does not own the event. False for an event that is
 * deleted, because `endUnownedDeliveries` has ended what former owners must not get.
 */
export const lacksOwnership = (eventId: RawBuilder<number | null>): RawBuilder<boolean> =>
  sql<boolean>`(webhooks.token_id is not null and exists (select 1 from events where id = ${eventId})
    and not ${owns(accountOfToken, eventId)})`

/**
 * A query condition on `webhooks`: the account may read the body of a delivery about the event. Accounts read only
 * bodies about their own events if an API token has made the webhook; 0 is the event of samples.
 */
export const showsBodyTo = (userId: number, eventId: number | null): RawBuilder<boolean> =>
  sql<boolean>`(webhooks.token_id is null or ${eventId === 0 ? sql`true` : owns(sql`${userId}`, sql`${eventId}`)})`

export const unownedReason = 'The account of the API token that made the webhook no longer owns the event.'

/**
 * Fails the pending deliveries of token webhooks whose account does not own the event. Must run in each transaction that
 * takes an event from an account, under the lock `everything`.
 */
export async function endUnownedDeliveries(tx: Tx, now: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', next_attempt_at: null, completed_at: now, last_error: unownedReason })
    .where('next_attempt_at', 'is not', null)
    .where('webhook_id', 'in', (where) =>
      where
        .selectFrom('webhooks')
        .select('id')
        .where(lacksOwnership(sql.ref('webhook_deliveries.event_id'))),
    )
    .execute()
}
