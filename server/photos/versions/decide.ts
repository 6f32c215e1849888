import type { Decision } from '../../../contract/gallery/decisions.ts'
import { maxNotesPerGuest } from '../../../contract/gallery/notes.ts'
import type { DecisionBody, GuestVersions } from '../../../contract/gallery/versions.ts'
import { maxNoteLength } from '../../../contract/text-lengths.ts'
import { eventData } from '../../events/event-announcements.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { findGuest, guestRecord, resolveMergedGuest } from '../../events/guests/guest-rows.ts'
import { saveGuestName } from '../../events/guests/save-guest-name.ts'
import { recordLiveEvent } from '../../events/live/live-event-rows.ts'
import { parseGuestText } from '../../feedback/guest-text.ts'
import { operators, requestNotice } from '../../feedback/notices/notice-rows.ts'
import { authorizeFeedback } from '../../feedback/store-guest-feedback.ts'
import { announceThread, recordThreadChange } from '../../feedback/threads/thread-changes.ts'
import { countThreads, insertThread } from '../../feedback/threads/thread-rows.ts'
import type { GalleryAccessContext } from '../../gallery-access/gallery-access-context.ts'
import { getEventForFeedback } from '../../gallery-access/get-event-for-feedback.ts'
import { getGuestCaller, type OpenGallery } from '../../gallery-access/open-gallery-request.ts'
import { assertViewable } from '../../gallery-access/viewing-rules.ts'
import type { Database, Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { isoTime } from '../../platform/time/clock.ts'
import { announce } from '../../webhooks/announce.ts'
import { photoData } from '../photo-announcements.ts'
import { getPhoto, type PhotoRow } from '../photo-rows.ts'
import { canDecide } from './deciders.ts'
import {
  type DecisionKey,
  findDecision,
  hasOtherDecision,
  storeDecision,
  type VersionDecisionRow,
} from './decision-rows.ts'
import { findCompletion } from './find-completion.ts'
import { listVersions } from './list-versions.ts'
import { isApproved } from './review-rules.ts'
import { getCurrentNumber } from './version-rows.ts'

/** Returns only the current version if the event does not keep versions. Throws the errors of `assertViewable`. */
export async function loadGuestVersions(
  ctx: GalleryAccessContext,
  { event, viewer }: OpenGallery,
  photoId: number,
): Promise<GuestVersions> {
  assertViewable(event, await ctx.galleries.photo(photoId), viewer, 'photo', ctx.clock.now())
  return describeVersions(ctx.db, event, photoId, viewer.kind === 'guest' ? viewer.guest.guestId : null)
}

async function describeVersions(
  db: Database,
  event: EventRow,
  photoId: number,
  guestId: string | null,
): Promise<GuestVersions> {
  const photo = await getPhoto(db, event.id, photoId)
  const isOn = event.keep_versions === 1
  const versions = (await listVersions(db, photo)).filter(
    ({ is_current, deleted_at, has_picture }) => is_current || (isOn && deleted_at === null && has_picture),
  )
  const current = versions.find(({ is_current }) => is_current)
  const key = { eventId: event.id, photoId, version: current?.number ?? 1 }
  const own = isOn && guestId !== null ? await findDecision(db, { ...key, guestId }) : undefined
  const mayDecide = isOn && event.feedback_enabled === 1 && guestId !== null
  return {
    versions: versions.map(({ number, is_current, width, height, note, from_at }) => ({
      ...{ number, is_current, width, height, note, from_at },
    })),
    can_decide: mayDecide && (await canDecide(db, event, photoId, guestId)),
    decision: own?.content_hash === photo.content_hash ? own.decision : null,
  }
}

type Recorder = (tx: Tx, id: number, answer: GuestVersions) => Promise<void>

/**
 * Stores the decision of a guest about the current version of a photo. `record` runs in the transaction. Throws NOT_FOUND
 * (also before the reveal), GALLERY_EXPIRED, FEEDBACK_DISABLED, INVALID_STATE if the event does not keep versions, FORBIDDEN
 * for an operator and for a guest who does not decide, VERSION_NOT_CURRENT, NOTE_LIMIT_REACHED, and VALIDATION_ERROR, also
 * for a guest without a name.
 */
export async function decideVersion(
  ctx: GalleryAccessContext,
  gallery: OpenGallery,
  { photoId, version }: { photoId: number; version: number },
  { decision, comment, guest_name }: DecisionBody,
  record: Recorder,
): Promise<GuestVersions> {
  await authorizeFeedback(ctx, gallery, photoId)
  const { eventId, guestId: sessionGuest } = getGuestCaller(gallery)
  const text = comment ? parseGuestText(comment, 'comment', maxNoteLength) : null
  const origin = await ctx.settings.linkOrigin()
  const answer = await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
    const now = ctx.clock.now()
    const event = await getEventForFeedback(tx, eventId, now)
    if (event.keep_versions === 0) throw new AppError('INVALID_STATE')
    const photo = await getPhoto(tx, eventId, photoId)
    const current = await getCurrentNumber(tx, photoId)
    if (version > current) throw new AppError('NOT_FOUND')
    if (version < current) throw new AppError('VERSION_NOT_CURRENT')
    const guestId = await resolveMergedGuest(tx, eventId, sessionGuest)
    if (!(await canDecide(tx, event, photoId, guestId))) {
      throw new AppError('FORBIDDEN', { text: 'Only the guests who have chosen this photo decide about it.' })
    }
    await saveGuestName(tx, { eventId, guestId, body: { guest_name: guest_name ?? null }, requiresName: true, now })
    const key = { eventId, photoId, version, guestId }
    const { content_hash } = photo
    const before = await findDecision(tx, key)
    const prior = before?.content_hash === content_hash ? before.decision : null
    if (decision !== prior) {
      const decided = decision && { content_hash, decision, decided_at: now }
      await storeDecision(tx, key, decided)
      await recordDecision(tx, key, decided?.decision ?? null, now)
      if (decided && isApproved(decided.decision) && !(prior && isApproved(prior))) {
        await recordCompletion(tx, event, { ...key, prior, contentHash: content_hash }, now)
      }
      if (decided) await announceDecision(tx, event, photo, { ...key, ...decided }, origin)
    }
    if (text !== null) await startNote(tx, event, key, { text, origin, now })
    const answer = await describeVersions(tx, event, photoId, guestId)
    await record(tx, photoId, answer)
    return answer
  })
  ctx.changes.notify('live', eventId)
  ctx.changes.notify('delivery', null)
  return answer
}

function recordDecision(
  tx: Tx,
  { eventId, photoId, version, guestId }: DecisionKey,
  decision: VersionDecisionRow['decision'] | null,
  now: number,
): Promise<void> {
  const data = { did: decision === null ? 'removed' : 'decided', version, decision, count: null } as const
  const about = { event_id: eventId, type: 'decision', photo_id: photoId, guest_id: guestId } as const
  return recordLiveEvent(tx, { ...about, data }, now)
}

/**
 * Tells the live streams that the last of the photos that are to be approved is approved; again if an approval was taken
 * back in between.
 */
async function recordCompletion(
  tx: Tx,
  event: EventRow,
  { prior, contentHash, ...key }: DecisionKey & { prior: Decision | null; contentHash: string },
  now: number,
): Promise<void> {
  // Without a package, the first approval of a version is enough.
  if (event.has_package === 0 && prior === null && (await hasOtherDecision(tx, key, contentHash))) return
  const count = await findCompletion(tx, event)
  if (count === null) return
  const data = { did: 'completed', version: null, decision: null, count } as const
  await recordLiveEvent(tx, { event_id: event.id, type: 'decision', guest_id: key.guestId, data }, now)
}

type Decided = DecisionKey & Pick<VersionDecisionRow, 'content_hash' | 'decision' | 'decided_at'>

async function announceDecision(tx: Tx, event: EventRow, photo: PhotoRow, decided: Decided, origin: string) {
  const { eventId, guestId, version, content_hash, decision, decided_at } = decided
  const guest = (await findGuest(tx, eventId, guestId)) ?? { id: guestId, name: null, email: null }
  const type = decision === 'changes_wanted' ? 'photo.changes_requested' : 'photo.approved'
  const data = {
    event: eventData(event, origin),
    photo: photoData(photo, false),
    decision: { version, content_hash, decision, decided_at: isoTime(decided_at) },
    guest: guestRecord(guest),
  }
  await announce(tx, type, data, decided_at)
}

/** The words of a decision are a private note, also where guests write no other notes. */
async function startNote(
  tx: Tx,
  event: EventRow,
  { eventId, photoId, guestId }: DecisionKey,
  { text, origin, now }: { text: string; origin: string; now: number },
): Promise<void> {
  const count = await countThreads(tx, { eventId, guestId }, ['note'])
  if (count >= maxNotesPerGuest) throw new AppError('NOTE_LIMIT_REACHED')
  const thread = await insertThread(tx, { eventId, guestId, photoId, kind: 'note', text, now })
  await recordThreadChange(tx, thread, 'created', now)
  await announceThread(tx, event, thread, origin)
  await requestNotice(tx, eventId, operators, now)
}
