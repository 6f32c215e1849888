import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { CustomerCaller, GuestCaller } from '../access/callers.ts'
import { type Allowance, rateLimited } from '../access/rate-limits.ts'
import { attemptPassword } from '../access/sign-in-attempts.ts'
import type { EventRow } from '../events/event-rows.ts'
import { isExpired } from '../events/event-rules.ts'
import { AppError } from '../platform/app-error.ts'
import { addressKey } from '../platform/http/address.ts'
import type { GalleryContext } from './gallery-context.ts'
import { assertGalleryState } from './viewing-rules.ts'

/** Finds the guest of an event that the sender has been before. */
export type GuestClaim = (eventId: number) => string | null

export type Entry = { event: EventRow; guest: GuestCaller; token: string }

/**
 * Returns 'password' if the event requires one. Throws NOT_FOUND, GALLERY_EXPIRED, and INVALID_CREDENTIALS for a wrong
 * share token, or a missing one unless the settings allow entering by slug.
 */
export async function enterByLink(
  ctx: GalleryContext,
  { slug, shareToken }: { slug: string; shareToken: string | null },
  claim: GuestClaim,
): Promise<Entry | 'password'> {
  const event = await ctx.galleries.event(slug)
  if (!event) throw new AppError('NOT_FOUND')
  assertGalleryState(event, false, ctx.clock.now())
  if (shareToken !== null && !isSame(shareToken, event.share_token)) throw new AppError('INVALID_CREDENTIALS')
  if (event.require_password === 1) return 'password'
  if (shareToken === null && !(await mayOpenBySlug(ctx))) throw new AppError('INVALID_CREDENTIALS')
  return entryOf(ctx, event, claim)
}

const mayOpenBySlug = async ({ settings }: GalleryContext): Promise<boolean> =>
  (await settings.values()).gallery_allow_slug_only

/** Each failure of the address also counts for the gallery. */
export function enteringFailures({ access: { limits } }: GalleryContext, slug: string, ip: string): Allowance {
  const ofAddress = limits.galleryFailures(addressKey(ip))
  return {
    ...ofAddress,
    async spend() {
      await limits.eventFailures(slug).spend()
      return ofAddress.spend()
    },
  }
}

type PasswordAttempt = { slug: string; password: string; shareToken: string | null; ip: string; claim: GuestClaim }

/**
 * Throws GALLERY_EXPIRED, RATE_LIMITED, and INVALID_CREDENTIALS, which does not reveal by its timing or text whether
 * the slug or the password is wrong. A gallery without a password requires its full link.
 */
export const enterByPassword = (ctx: GalleryContext, input: PasswordAttempt): Promise<Entry> =>
  attemptPassword(ctx.access, enteringFailures(ctx, input.slug, input.ip), () => checkPassword(ctx, input))

async function checkPassword(
  ctx: GalleryContext,
  { slug, password, shareToken, claim }: Omit<PasswordAttempt, 'ip'>,
): Promise<Entry> {
  const found = await ctx.galleries.event(slug)
  const event = found && found.is_draft === 0 && found.is_archived === 0 ? found : null
  if (event && isExpired(event, ctx.clock.now())) throw new AppError('GALLERY_EXPIRED')

  const { gallery_password_needs_link: needsLink } = await ctx.settings.values()
  const hasLink = event !== null && shareToken !== null && isSame(shareToken, event.share_token)
  if (!hasLink) await assertGuessesLeft(ctx, slug)
  const isRight = await isRightAsMeant(ctx, event?.password_hash ?? null, password)
  const mayEnter = event?.require_password === 1 ? isRight && (hasLink || !needsLink) : hasLink
  if (!event || !mayEnter) throw new AppError('INVALID_CREDENTIALS')
  return entryOf(ctx, event, claim)
}

/** People copy passwords from mails with white space around them. Takes the same time for an unknown gallery. */
async function isRightAsMeant(
  { passwords }: GalleryContext,
  storedHash: string | null,
  password: string,
): Promise<boolean> {
  if (await passwords.isRight(storedHash, password)) return true
  const trimmed = password.trim()
  return trimmed !== password && trimmed !== '' && passwords.isRight(storedHash, trimmed)
}

/** After too many failures for a slug, a password works only with the full link. Unknown slugs count too. */
async function assertGuessesLeft({ access }: GalleryContext, slug: string): Promise<void> {
  const seconds = await access.limits.eventFailures(slug).wait()
  if (seconds === null) return
  throw rateLimited(seconds, 'Too many wrong passwords were tried here. Open the gallery by its whole link.')
}

/** The caller counts the view. */
export async function entryOf(
  ctx: GalleryContext,
  event: EventRow,
  claim: GuestClaim,
  customer?: CustomerCaller,
): Promise<Entry> {
  const claimed = claim(event.id)
  const guestId = claimed === null ? randomUUID() : await ctx.mergedGuests.actingFor(event.id, claimed)
  const guest = { eventId: event.id, accessKey: event.access_key, guestId, ...(customer && { customer }) }
  return { event, guest, token: ctx.access.signGallerySession(guest) }
}

/** Hashes both values first, so that their lengths do not matter. */
export function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
