import type { SettingValues } from '../../contract/settings.ts'
import { t } from '../platform/text/command-messages.ts'
import { isGlobal } from './move-catalog.ts'
import type { AddDifference } from './move-report.ts'
import { type PicPeakSource, readAll } from './picpeak-source.ts'
import { readEvent, type SourceEvent } from './read-event.ts'
import { readFeedback, readGuest, type SourceFeedback, type SourceGuest } from './read-feedback.ts'
import { readPhoto, type SourcePhoto } from './read-photos.ts'
import { type SourceRow, toLine, toWhole } from './source/source-values.ts'

/** What belongs to an event of the source. Ids are those of the source. */
export type SourceContent = {
  categories: Array<{ id: number; row: SourceRow }>
  photos: SourcePhoto[]
  /** Also those without feedback. */
  guests: SourceGuest[]
  feedback: SourceFeedback[]
  /** Slugs that the event had before. */
  oldSlugs: string[]
}

type Reading = {
  source: PicPeakSource
  settings: SettingValues
  now: number
  add: AddDifference
  isReadableHash: (hash: string | null) => boolean
}

/** Yields the events by id, with their settings for feedback. */
export async function* readEvents({ source: { database }, ...rest }: Reading): AsyncGenerator<SourceEvent> {
  const hasSettings = database.tables.has('event_feedback_settings')
  const settings = hasSettings ? await readAll(database.read('event_feedback_settings')) : []
  const byEvent = new Map(settings.map((row) => [toWhole(row.event_id), row]))
  for await (const row of database.read('events')) {
    const event = readEvent(row, byEvent.get(toWhole(row.id)) ?? {}, rest)
    if (event) yield event
  }
}

/** Reads what belongs to an event. Reports feedback to photos that are not in the event. */
export async function readContent({ source, now, add }: Reading, event: SourceEvent): Promise<SourceContent> {
  const { database } = source
  const where = { column: 'event_id', value: event.id }
  const categories = await readAll(database.read('photo_categories', where))
  const photos = (await readAll(database.read('photos', where))).flatMap((row) => readPhoto(row, event, add) ?? [])
  const guestRows = database.tables.has('gallery_guests') ? await readAll(database.read('gallery_guests', where)) : []
  const guests = guestRows.flatMap((row) => readGuest(row, now) ?? [])
  const byKey = new Map(guests.map((guest) => [guest.key, guest]))
  const rows = await readAll(database.read('photo_feedback', where))
  const moderatesComments = event.columns.moderate_comments === 1
  const feedback = readFeedback(rows, byKey, { moderatesComments, now, add })
  const photoIds = new Set(photos.map(({ id }) => id))
  for (const { id, photoId } of feedback) {
    if (!photoIds.has(photoId)) add('photo_feedback', id, t('photoOutsideEvent', { photo: photoId, event: event.id }))
  }
  return {
    categories: categories.flatMap((row) => {
      const id = toWhole(row.id)
      return id === null || isGlobal(row) ? [] : [{ id, row }]
    }),
    photos,
    guests: [
      ...new Map([...guests, ...feedback.map(({ guest }) => guest)].map((guest) => [guest.key, guest])).values(),
    ],
    oldSlugs: await readOldSlugs(source, where),
    feedback: feedback.filter(({ photoId }) => photoIds.has(photoId)),
  }
}

async function readOldSlugs({ database }: PicPeakSource, where: { column: string; value: number }): Promise<string[]> {
  if (!database.tables.has('slug_redirects')) return []
  const rows = await readAll(database.read('slug_redirects', where))
  return rows.flatMap((row) => toLine(row.old_slug) ?? [])
}
