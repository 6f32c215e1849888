import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { CustomerCaller, GuestCaller } from '../access/callers.ts'
import { attemptPassword } from '../access/limits/delay-attempts.ts'
import { eventKey } from '../access/limits/limit-keys.ts'
import { type Allowance, rateLimited } from '../access/limits/rate-limits.ts'
import type { EventRow } from '../events/event-rows.ts'
import { gallerySessionSeconds, isExpired } from '../events/event-rules.ts'
import { replaceForeignHash } from '../events/gallery-passwords.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { addressKey } from '../platform/network/client-address.ts'
import type { GalleryAccessContext } from './gallery-access-context.ts'
import { assertGalleryState } from './viewing-rules.ts'

/** Returns the guest id that the client already has in this event; null if it has none. */
export type FindReturningGuest = (eventId: number) => string | null

export type Entry = { event: EventRow; guest: GuestCaller; token: string }

/**
 * Returns 'password' if the event requires one. Throws NOT_FOUND, GALLERY_EXPIRED, and INVALID_CREDENTIALS for a wrong
 * share token, or a missing one unless the settings allow entering by slug.
 */
export async function enterByLink(
  ctx: GalleryAccessContext,
  { slug, shareToken }: { slug: string; shareToken: string | null },
  findReturningGuest: FindReturningGuest,
): Promise<Entry | 'password'> {
  const event = await getOpenEvent(ctx, slug)
  if (shareToken !== null && !equalsInConstantTime(shareToken, event.share_token))
    throw new AppError('INVALID_CREDENTIALS')
  if (event.require_password === 1) return 'password'
  if (shareToken === null && !(await leadsInBySlug(ctx, event))) throw new AppError('INVALID_CREDENTIALS')
  return createEntry(ctx, event, findReturningGuest)
}

/** Whether the slug alone leads into the gallery, or to the form for its password. */
export async function leadsInBySlug(
  { settings }: GalleryAccessContext,
  { require_password }: EventRow,
): Promise<boolean> {
  const { gallery_password_needs_link: needsLink, gallery_allow_slug_only: opensBySlug } = await settings.values()
  return require_password === 1 ? !needsLink : opensBySlug
}

/** Throws NOT_FOUND and GALLERY_EXPIRED. */
export async function getOpenEvent({ galleries, clock }: GalleryAccessContext, slug: string): Promise<EventRow> {
  const event = await galleries.event(slug)
  if (!event) throw new AppError('NOT_FOUND')
  assertGalleryState(event, false, clock.now())
  return event
}

/** A failure counts for the IP address and for the gallery. `wait` checks only the limit of the address. */
export function entryFailureLimit(ctx: GalleryAccessContext, slug: string, ip: string): Allowance {
  const addressFailures = ctx.access.limits.entryFailuresOfAddress(addressKey(ip))
  return {
    ...addressFailures,
    async consume() {
      await eventFailureLimit(ctx, slug, await ctx.galleries.event(slug)).consume()
      return addressFailures.consume()
    },
  }
}

const eventFailureLimit = ({ access }: GalleryAccessContext, slug: string, event: EventRow | undefined): Allowance =>
  access.limits.entryFailuresOfGallery(eventKey(event, slug, access.unknownKey))

type PasswordAttempt = { slug: string; password?: string; shareToken: string | null; ip: string }

/**
 * Throws GALLERY_EXPIRED, RATE_LIMITED, and INVALID_CREDENTIALS, which does not reveal by its timing or text whether
 * the slug or the password is wrong. A gallery without a password requires its full link, unless the settings allow
 * entering by slug.
 */
export const enterByPassword = (
  ctx: GalleryAccessContext,
  input: PasswordAttempt,
  findReturningGuest: FindReturningGuest,
): Promise<Entry> =>
  attemptPassword(ctx.access, entryFailureLimit(ctx, input.slug, input.ip), async () =>
    createEntry(ctx, await checkPassword(ctx, input), findReturningGuest),
  )

async function checkPassword(
  ctx: GalleryAccessContext,
  { slug, password = '', shareToken }: PasswordAttempt,
): Promise<EventRow> {
  const found = await ctx.galleries.event(slug)
  const event = found && found.is_draft === 0 && found.is_archived === 0 ? found : null
  if (event && isExpired(event, ctx.clock.now())) throw new AppError('GALLERY_EXPIRED')

  const { gallery_password_needs_link: needsLink, gallery_allow_slug_only: opensBySlug } = await ctx.settings.values()
  const hasLink = event !== null && shareToken !== null && equalsInConstantTime(shareToken, event.share_token)
  if (!hasLink) await assertAttemptsLeft(ctx, slug, found)
  const correct = await findCorrectPassword(ctx, event?.password_hash ?? null, password)
  const isCorrect = correct !== null
  const canEnter =
    event?.require_password === 1
      ? isCorrect && (hasLink || !needsLink)
      : hasLink || (opensBySlug && shareToken === null)
  if (!event || !canEnter) throw new AppError('INVALID_CREDENTIALS')
  if (isCorrect) await replaceForeignHash(ctx, event, correct)
  return event
}

/**
 * Accepts white space around the password, because people copy it from mails. Takes the same time without a stored
 * hash. Returns the password that is correct, or null.
 */
async function findCorrectPassword(
  { passwords }: GalleryAccessContext,
  storedHash: string | null,
  password: string,
): Promise<string | null> {
  const trimmed = password.trim()
  const candidates = trimmed === password || trimmed === '' ? [password] : [password, trimmed]
  for (const candidate of candidates) if (await passwords.isCorrect(storedHash, candidate)) return candidate
  return null
}

/**
 * Throws RATE_LIMITED after too many failures for a slug, existing or not; a password then works only with the full
 * link.
 */
async function assertAttemptsLeft(ctx: GalleryAccessContext, slug: string, event: EventRow | undefined): Promise<void> {
  const seconds = await eventFailureLimit(ctx, slug, event).wait()
  if (seconds === null) return
  throw rateLimited(seconds, 'Too many incorrect passwords. Open the gallery by its full link.')
}

/** Does not count the view. */
export async function createEntry(
  ctx: GalleryAccessContext,
  event: EventRow,
  findReturningGuest: FindReturningGuest,
  customer?: CustomerCaller,
): Promise<Entry> {
  const returningGuestId = findReturningGuest(event.id)
  // An erased guest returns as a new guest.
  const actingId = returningGuestId === null ? null : await ctx.mergedGuests.find(event.id, returningGuestId)
  const guestId = actingId ?? randomUUID()
  const guest = { eventId: event.id, accessKey: event.access_key, guestId, ...(customer && { customer }) }
  return { event, guest, token: ctx.access.signGallerySession(guest, gallerySessionSeconds(event)) }
}

/** Hashes both values first, so that their lengths do not matter. */
export function equalsInConstantTime(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
