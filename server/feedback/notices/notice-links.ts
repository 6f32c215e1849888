import { sharePath } from '../../../contract/share-path.ts'
import type { EventRow } from '../../events/event-rows.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'

/** A link in a mail, which works without a sign-in. `guestId` is empty for the operators of the event. */
export type NoticeLink = SubscriptionLink | OpenLink | ReceiptLink

export type SubscriptionLink = {
  act: 'confirm' | 'unsubscribe'
  eventId: number
  guestId: string
  /** The address to confirm. */
  email?: string
}

/** Leads to the gallery, but does not open it. */
export type OpenLink = { act: 'open'; eventId: number; guestId: string; photoId: number | null }

/**
 * Leads to the receipt of one selection without a session, until the access key of the event changes. `guestId` is that
 * of its guest.
 */
export type ReceiptLink = { act: 'receipt'; eventId: number; guestId: string; selectionId: number; accessKey: string }

const purpose = 'link in a mail'

/** The link works until the encryption key changes. */
export const createNoticeLink = ({ encryption }: PlatformContext, origin: string, link: NoticeLink): string =>
  `${origin}/mails/${encryption.encrypt(JSON.stringify(link), purpose)}`

type MailedGuest = { guestId: string; isCustomer: boolean }

/**
 * Returns the address of the gallery for a mail to a guest. Only the customer gets the secret of the share link, because
 * other guests may have been locked out since.
 */
export const createGalleryUrl = (
  ctx: PlatformContext,
  origin: string,
  event: EventRow,
  { guestId, isCustomer }: MailedGuest,
  photoId: number | null,
): string =>
  isCustomer
    ? `${origin}${sharePath(event)}${photoId === null ? '' : `?photo=${photoId}`}`
    : createNoticeLink(ctx, origin, { act: 'open', eventId: event.id, guestId, photoId })

/** Returns null for a token that this instance has not made. */
export function readNoticeLink({ encryption }: PlatformContext, token: string): NoticeLink | null {
  try {
    return JSON.parse(encryption.decrypt(token, purpose))
  } catch {
    return null
  }
}
