import { pickColorNames } from '../../contract/color-labels.ts'
import type { SelectionBody, SelectionReply } from '../../contract/gallery/selections.ts'
import { consume } from '../access/limits/rate-limits.ts'
import { eventData } from '../events/event-announcements.ts'
import type { EventRow } from '../events/event-rows.ts'
import { type GuestRow, normalizeGuestName, resolveMergedGuest, saveGuest } from '../events/guests/guest-rows.ts'
import { recordLiveEvent } from '../events/live/live-event-rows.ts'
import { loadLetterhead, mailRound, mailSelection } from '../events/mail/event-mail.ts'
import type { SentRound } from '../events/mail/round-blocks.ts'
import { createNoticeLink } from '../feedback/notices/notice-links.ts'
import type { GalleryAccessContext } from '../gallery-access/gallery-access-context.ts'
import { getEventForFeedback } from '../gallery-access/get-event-for-feedback.ts'
import { getGuestCaller, type OpenGallery } from '../gallery-access/open-gallery-request.ts'
import type { Tx } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { AppError, invalidField } from '../platform/errors/app-error.ts'
import { isoTime } from '../platform/time/clock.ts'
import { announce } from '../webhooks/announce.ts'
import { listPickedPhotos, type PickedPhoto } from './picked-photos.ts'
import { readAgreed } from './receipts/agreed-selections.ts'
import { compareSelections } from './receipts/compare-selections.ts'
import { createSnapshot } from './rounds/create-snapshot.ts'
import { findRoundRecipient } from './rounds/round-recipient.ts'
import type { RoundRow } from './rounds/round-rows.ts'
import { countExtras } from './rounds/round-rules.ts'
import { submitRound } from './rounds/submit-round.ts'
import { addSelection, findSelectionBefore, type SelectionRow } from './selection-rows.ts'

/**
 * `record` runs in the transaction. Throws NOT_FOUND (also before the reveal), GALLERY_EXPIRED, FORBIDDEN for an
 * operator, FEEDBACK_DISABLED, NOTHING_SELECTED, the errors of `submitRound`, RATE_LIMITED, and VALIDATION_ERROR at `guest_name` if a required name
 * is missing.
 */
export async function submitSelection(
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  body: SelectionBody,
  record: (tx: Tx, id: number, answer: SelectionReply) => Promise<void>,
): Promise<SelectionReply> {
  const { eventId, guestId: sessionGuest } = getGuestCaller(gallery)
  await consume(ctx.access.limits.guestSelections(sessionGuest))
  const head = await loadLetterhead(ctx)
  const colorNames = pickColorNames(await ctx.settings.values())
  const answer = await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    const now = ctx.clock.now()
    const event = await getEventForFeedback(tx, eventId, now)
    const guestId = await resolveMergedGuest(tx, eventId, sessionGuest)
    const guest = await updateGuest(tx, event, guestId, body, now)
    const photos = await listPickedPhotos(tx, eventId, guestId)
    if (photos.length === 0) throw new AppError('NOTHING_SELECTED')
    const note = body?.note?.trim() || null
    const photoIds = photos.map(({ id }) => id)
    const submission = { eventId, guestId, count: photos.length, revision: body?.revision, now }
    const sent = event.has_package === 1 ? await submitRound(tx, submission) : null
    const agreed =
      sent &&
      (await createSnapshot(tx, { event, head, colorNames, ...sent, guestName: guest.name, note, photoIds, now }))
    const videoCount = photos.filter(({ media_type }) => media_type === 'video').length
    const selection = await addSelection(tx, { eventId, guestId, note, photoIds, agreed, now })
    const { number, photo_count: count, created_at } = selection
    const data = {
      event: eventData(event, head.origin),
      selection: selectionPayload(selection, guest, photos, sent?.round),
    }
    const deliveryCount = await announce(tx, 'selection.submitted', data, now)
    const liveData = { did: 'submitted' as const, selection_id: selection.id, number, count }
    await recordLiveEvent(tx, { event_id: eventId, type: 'selection', guest_id: guestId, data: liveData }, now)
    const filenames = photos.map(({ source_filename }) => source_filename)
    const { name: guestName, email: guestEmail } = guest
    const { id } = selection
    const round = sent && (await describeSent(tx, selection, videoCount))
    const mail = { id, number, note, guestName, guestEmail, filenames, videoCount, round }
    const isMailQueued = await mailSelection(ctx, tx, head, event, mail)
    const recipient =
      round && (await findRoundRecipient(ctx, tx, event, { guestId, origin: head.origin, canAsk: false }))
    if (recipient) {
      const link = { act: 'receipt', eventId, guestId, selectionId: id, accessKey: event.access_key } as const
      const receiptPath = `${createNoticeLink(ctx, '', link)}/receipt`
      const told = { kind: 'selection_sent', selectionId: id, guest: recipient } as const
      await mailRound(ctx, tx, head, event, { ...told, round: { ...round, receiptPath } })
    }
    const answer = {
      success: true as const,
      number,
      count,
      created_at: isoTime(created_at),
      video_count: videoCount,
      state: sent && toSentState(sent.round),
      extra_count: sent && countExtras(count, sent.round),
      content_sha256: selection.content_sha256,
      is_notifying: isMailQueued || deliveryCount > 0,
    }
    await record(tx, selection.id, answer)
    return answer
  })
  ctx.changes.notify('live', eventId)
  ctx.changes.notify('mail', eventId)
  ctx.changes.notify('delivery', eventId)
  return answer
}

/** Returns what the operators are told about picks that were sent in a round. */
async function describeSent(tx: Tx, row: SelectionRow, videoCount: number): Promise<SentRound> {
  const before = await findSelectionBefore(tx, row)
  const agreed = readAgreed(row, false)
  const { purpose, round, photos, extra_count, extra_text } = agreed.snapshot
  return {
    ...{ purpose, number: round, count: photos.length, videoCount },
    extraCount: extra_count,
    extraText: extra_text,
    difference: compareSelections(before ? readAgreed(before, false) : null, agreed),
    receiptPath: `/api/admin/events/${row.event_id}/selections/${row.id}/receipt`,
  }
}

/** Locks the row of the guest for the rest of the transaction. */
async function updateGuest(
  tx: Tx,
  event: EventRow,
  guestId: string,
  body: SelectionBody,
  now: number,
): Promise<GuestRow> {
  const name = normalizeGuestName(body?.guest_name ?? '')
  const email = body?.guest_email || null
  const guest = await saveGuest(tx, { eventId: event.id, guestId, name, email, now })
  if (event.require_guest_name === 1 && !guest.name) throw invalidField('guest_name', 'is required')
  return guest
}

const toSentState = ({ state }: RoundRow): SelectionReply['state'] => (state === 'locked' ? 'locked' : 'submitted')

const selectionPayload = (
  selection: SelectionRow,
  { id, name, email }: GuestRow,
  photos: PickedPhoto[],
  round: RoundRow | undefined,
) => ({
  id: selection.id,
  number: selection.number,
  guest: { id, name, email },
  note: selection.note,
  count: selection.photo_count,
  photo_ids: photos.map((photo) => photo.id),
  round: round?.number ?? null,
  extra_count: round ? countExtras(photos.length, round) : null,
  content_sha256: selection.content_sha256,
})
