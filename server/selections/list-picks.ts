import type { PickedPhoto, PickingGuest, PicksReply } from '../../contract/picks.ts'
import type { EventRow } from '../events/event-rows.ts'
import { type ActiveGuest, listAllGuests, listedGuest } from '../feedback/guests/list-guests.ts'
import { guestMarks } from '../feedback/marks/mark-joins.ts'
import { type ListedPhoto, loadPhotosByIds } from '../photos/listed-photos.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { isoTime, isoTimeOrNull } from '../platform/time/clock.ts'
import { listChangedPicks, listPickersByPhoto } from './picked-photos.ts'
import { countErasedSelections, findLastSelection, listVideoIds } from './selection-rows.ts'

/** Limits each query, so that other queries can use the reader thread of SQLite in between. */
const photosPerBatch = 500

/** `userId`: the account whose own marks are included. */
export async function listPicks(
  ctx: PlatformContext,
  { id: eventId, has_package }: EventRow,
  userId: number,
): Promise<PicksReply> {
  const { db } = ctx
  const guests = await listAllGuests(ctx, eventId)
  const pickers = await listPickersByPhoto(
    db,
    eventId,
    guests.map(({ id }) => id),
  )
  const picksOf = Map.groupBy(
    [...pickers].flatMap(([photoId, ids]) => ids.map((guestId) => ({ photoId, guestId }))),
    ({ guestId }) => guestId,
  )
  const hasSelections = guests.some(({ selections }) => selections > 0)
  const videoIds = hasSelections ? await listVideoIds(db, eventId) : new Set<number>()
  const listed: PickingGuest[] = []
  for (const guest of guests) {
    const picked = (picksOf.get(guest.id) ?? []).map(({ photoId }) => photoId)
    const handed_in = await describeLastSelection(ctx, eventId, { guest, picked, videoIds })
    listed.push({ ...listedGuest(guest), pick_count: picked.length, handed_in })
  }
  const photos = await loadPhotosInOrder(ctx, [...pickers.keys()], userId)
  return {
    photos: photos.map((photo) => toPickedPhoto(photo, pickers.get(photo.id) ?? [])),
    guests: listed,
    has_package: has_package === 1,
    erased_selection_count: await countErasedSelections(db, eventId),
  }
}

type LastSelectionOptions = { guest: ActiveGuest; picked: number[]; videoIds: ReadonlySet<number> }

async function describeLastSelection(
  { db }: PlatformContext,
  eventId: number,
  { guest, picked, videoIds }: LastSelectionOptions,
) {
  const last = guest.selections > 0 ? await findLastSelection(db, eventId, guest.id) : undefined
  if (!last) return null
  const { id, number, note, photo_count: count, created_at, done_at } = last
  const sent = JSON.parse(last.photo_ids) as number[]
  const changed = await listChangedPicks(db, eventId, { sent, picked })
  const video_count = sent.filter((photoId) => videoIds.has(photoId)).length
  const times = { created_at: isoTime(created_at), done_at: isoTimeOrNull(done_at) }
  return { id, number, count, video_count, note, round: last.round_number, ...times, changed_count: changed.length }
}

async function loadPhotosInOrder(
  { db }: PlatformContext,
  ids: readonly number[],
  userId: number,
): Promise<ListedPhoto[]> {
  const found: ListedPhoto[] = []
  for (let start = 0; start < ids.length; start += photosPerBatch) {
    found.push(...(await loadPhotosByIds(db, ids.slice(start, start + photosPerBatch), userId)))
  }
  return found.sort((a, b) => a.uploaded_at - b.uploaded_at || a.id - b.id)
}

function toPickedPhoto(photo: ListedPhoto, picked_by: string[]): PickedPhoto {
  const { average_rating, color_labels, like_count, favorite_count, comment_count } = guestMarks(photo)
  return {
    id: photo.id,
    source_filename: photo.source_filename,
    content_hash: photo.content_hash,
    width: photo.width,
    height: photo.height,
    media_type: photo.media_type,
    thumbhash: photo.thumbhash,
    visibility: photo.visibility,
    average_rating,
    color_labels,
    like_count,
    favorite_count,
    comment_count,
    my_rating: photo.my_rating,
    my_color_label: photo.my_color_label,
    picked_by,
  }
}
