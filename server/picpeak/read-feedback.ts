import { type ColorLabel, colorLabels, type FeedbackKind } from '../../contract/marks.ts'
import { normalizeGuestName } from '../events/guests/guest-rows.ts'
import { type Flag, flag } from '../platform/database/tables.ts'
import { t } from '../platform/text/command-messages.ts'
import type { AddDifference } from './move-report.ts'
import { type SourceRow, toFlag, toLine, toText, toTime, toWhole } from './source/source-values.ts'

export type SourceGuest = { key: string; name: string | null; email: string | null; createdAt: number }

/** Ids are those of the source. */
export type SourceFeedback = {
  id: number
  photoId: number
  guest: SourceGuest
  kind: FeedbackKind
  rating: number | null
  colorLabel: ColorLabel | null
  comment: string | null
  isVisible: Flag
  reviewedAt: number | null
  createdAt: number
  updatedAt: number
}

const maxNameLength = 100
const maxEmailLength = 254

/** Guests that have a row. Deleted guests lose their name and their address. */
export function readGuest(row: SourceRow, now: number): SourceGuest | null {
  const id = toWhole(row.id)
  if (id === null) return null
  const isDeleted = toFlag(row.is_deleted) === 1
  return {
    key: `guest ${id}`,
    name: isDeleted ? null : cutName(row.name),
    email: isDeleted ? null : cutEmail(row.email),
    createdAt: toTime(row.created_at) ?? now,
  }
}

const cutName = (value: SourceRow[string]): string | null =>
  normalizeGuestName((toLine(value) ?? '').slice(0, maxNameLength))

const cutEmail = (value: SourceRow[string]): string | null => {
  const email = toLine(value)
  return email !== null && email.length <= maxEmailLength && email.includes('@') ? email : null
}

/**
 * Reads the feedback of an event. Returns only the newest of several marks of one kind by a guest on a photo, as PicPeak
 * counts them too.
 */
export function readFeedback(
  rows: readonly SourceRow[],
  guests: ReadonlyMap<string, SourceGuest>,
  { moderatesComments, now, add }: { moderatesComments: boolean; now: number; add: AddDifference },
): SourceFeedback[] {
  const anonymous = new Map<string, SourceGuest>()
  const all = rows.flatMap((row) =>
    readOne(row, findGuest(row, guests, anonymous, now), { moderatesComments, now, add }),
  )
  const newest = new Map<string, SourceFeedback>()
  for (const one of all.toSorted((a, b) => a.updatedAt - b.updatedAt || a.id - b.id)) {
    const key = one.kind === 'comment' ? `comment ${one.id}` : `${one.photoId} ${one.kind} ${one.guest.key}`
    const earlier = newest.get(key)
    if (earlier) add('photo_feedback', earlier.id, t('newerMark', { row: one.id }))
    newest.set(key, one)
  }
  return [...newest.values()].sort((a, b) => a.id - b.id)
}

/** A guest without a row has the identifier of a browser, or only a name. */
function findGuest(
  row: SourceRow,
  guests: ReadonlyMap<string, SourceGuest>,
  anonymous: Map<string, SourceGuest>,
  now: number,
): SourceGuest {
  const known = guests.get(`guest ${toWhole(row.guest_id)}`)
  if (known) return known
  const name = cutName(row.guest_name)
  const key = `event ${toWhole(row.event_id)} ${toLine(row.guest_identifier) ?? `row ${row.id}`}`
  const found = anonymous.get(key) ?? { key, name: null, email: null, createdAt: toTime(row.created_at) ?? now }
  // The same object for all rows, so that a name in any of them names the guest.
  found.name = name ?? found.name
  found.email = cutEmail(row.guest_email) ?? found.email
  anonymous.set(key, found)
  return found
}

const kinds: Readonly<Record<string, FeedbackKind>> = {
  rating: 'rating',
  like: 'like',
  favorite: 'favorite',
  comment: 'comment',
  color_label: 'color_label',
}

function readOne(
  row: SourceRow,
  guest: SourceGuest,
  { moderatesComments, now, add }: { moderatesComments: boolean; now: number; add: AddDifference },
): SourceFeedback[] {
  const leaveOut = (reason: string): [] => {
    add('photo_feedback', row.id, reason)
    return []
  }
  const id = toWhole(row.id)
  const photoId = toWhole(row.photo_id)
  const kind = kinds[toLine(row.feedback_type) ?? '']
  if (id === null || photoId === null) return leaveOut(t('feedbackWithoutPhoto'))
  if (kind === undefined) return leaveOut(t('feedbackUnknown', { kind: JSON.stringify(toText(row.feedback_type)) }))
  const rating = kind === 'rating' ? toWhole(row.rating) : null
  if (kind === 'rating' && (rating === null || rating < 1 || rating > 5)) return leaveOut(t('ratingOutOfRange'))
  const comment = kind === 'comment' ? toText(row.comment_text) : null
  if (kind === 'comment' && !comment?.trim()) return leaveOut(t('commentEmpty'))
  const colorLabel = colorLabels.find((color) => color === toLine(row.color_label)) ?? null
  if (kind === 'color_label' && colorLabel === null) return leaveOut(t('colorUnknown'))

  const createdAt = toTime(row.created_at) ?? now
  const updatedAt = toTime(row.updated_at) ?? createdAt
  const isHidden = toFlag(row.is_hidden) === 1
  const isApproved = kind !== 'comment' || toFlag(row.is_approved, true) === 1
  return [
    {
      id,
      photoId,
      guest,
      kind,
      rating,
      colorLabel: kind === 'color_label' ? colorLabel : null,
      comment,
      isVisible: flag(!isHidden && isApproved),
      reviewedAt: isHidden || (kind === 'comment' && isApproved && moderatesComments) ? updatedAt : null,
      createdAt,
      updatedAt,
    },
  ]
}
