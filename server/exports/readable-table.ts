import type { Readable } from 'node:stream'
import { pickColorNames } from '../../contract/color-labels.ts'
import type { Language } from '../../contract/languages.ts'
import type { MarkSource } from '../../contract/marks.ts'
import type { TranslateCatalog } from '../../locales/catalogs.ts'
import { loadGuestNames } from '../feedback/guests/guest-names.ts'
import { listPhotoNotes, type PhotoNote } from '../feedback/notes/list-notes.ts'
import { createCsv } from '../platform/text/csv.ts'
import { getTranslator } from '../platform/text/messages.ts'
import { listPickersByPhoto } from '../selections/picked-photos.ts'
import type { AppContext } from '../settings/app-context.ts'
import { withColorNames } from '../settings/color-names.ts'
import type { ExportedMarks } from './exported-marks.ts'
import type { Column } from './marks-csv.ts'

type Table = {
  eventId: number
  language: Language
  /** Whose marks `rating` and `colorLabel` are. */
  source: MarkSource
  /** The guest of `marks_of`. */
  guestId: string | null
  hasNotes: boolean
  further: readonly Column[]
}

/** Returns a table for people. */
export async function createReadableTable(
  ctx: AppContext,
  photos: readonly ExportedMarks[],
  { eventId, language, source, guestId, hasNotes, further }: Table,
): Promise<Readable> {
  const { t } = withColorNames(getTranslator('exports', language), pickColorNames(await ctx.settings.values()))
  const { ids, of: nameOf } = await loadGuestNames(ctx, eventId, language)
  const pickers = await listPickersByPhoto(ctx.db, eventId, ids)
  const guestColumns = source === 'mine' ? [] : createGuestColumns(t, guestId === null)
  const columns: Column[] = [
    { header: t('fileName'), read: (photo) => photo.sourceFilename },
    { header: t('pickedBy'), read: ({ photoId }) => (pickers.get(photoId) ?? []).map(nameOf).join(', ') },
    ...createMarkColumns(t, source, guestId === null ? t('guests') : nameOf(guestId)),
    ...guestColumns,
    { header: t('category'), read: (photo) => photo.category },
    { header: t('takenAt'), read: ({ capturedAt }) => capturedAt && formatTakenAt(capturedAt) },
    {
      header: t('comments'),
      read: ({ comments }) =>
        comments
          .map(({ guestId: authorId, text, isPending }) =>
            t(isPending ? 'pendingComment' : 'comment', { guest: nameOf(authorId), text }),
          )
          .join('\n'),
    },
    ...(hasNotes ? [createNotesColumn(t, nameOf, await listPhotoNotes(ctx.db, eventId))] : []),
    ...further,
  ]
  return createCsv(columns, photos)
}

/** Returns the time as the camera wrote it, in a form that spreadsheet programs read. */
const formatTakenAt = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 19).replace('T', ' ')

const createNotesColumn = (
  t: TranslateCatalog<'exports'>,
  nameOf: (guestId: string) => string,
  notes: ReadonlyMap<number, PhotoNote[]>,
): Column => ({
  header: t('notes'),
  read: ({ photoId }) =>
    (notes.get(photoId) ?? [])
      .map(({ guestId, text, isDone }) => t(isDone ? 'doneNote' : 'note', { guest: nameOf(guestId), text }))
      .join('\n'),
})

function createMarkColumns(t: TranslateCatalog<'exports'>, source: MarkSource, guests: string): Column[] {
  const whose = { client: guests, mine: t('own'), either: t('both', { whose: guests }) }[source]
  return [
    { header: t('rating', { whose }), read: (photo) => photo.rating },
    { header: t('colorLabel', { whose }), read: ({ colorLabel }) => colorLabel && t(colorLabel) },
    ...(source === 'either'
      ? [
          { header: t('ownRating'), read: ({ marks }: ExportedMarks) => marks.my_rating },
          {
            header: t('ownColorLabel'),
            read: ({ marks }: ExportedMarks) => marks.my_color_label && t(marks.my_color_label),
          },
        ]
      : []),
  ]
}

const createGuestColumns = (t: TranslateCatalog<'exports'>, isOfAllGuests: boolean): Column[] =>
  isOfAllGuests
    ? [
        { header: t('averageRating'), read: ({ marks }) => marks.average_rating || null },
        { header: t('likes'), read: ({ marks }) => marks.like_count },
        { header: t('favorites'), read: ({ marks }) => marks.favorite_count },
      ]
    : []
