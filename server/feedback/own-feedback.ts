import type { ColorLabel } from '../../contract/marks.ts'
import { runCompiled } from '../platform/database/compile-once.ts'
import { isInParameter, maxShortRead, shortRead, toParameter } from '../platform/database/short-read.ts'
import type { Database } from '../platform/database/tables.ts'

/** The feedback of one guest for a photo, without comments. */
export type OwnFeedback = {
  my_rating: number | null
  my_color_label: ColorLabel | null
  is_liked: boolean
  is_favorited: boolean
}

export const noFeedback: OwnFeedback = { my_rating: null, my_color_label: null, is_liked: false, is_favorited: false }

/** Returns the feedback by photo id. Photos without feedback, or with comments only, are absent. */
export async function loadOwnFeedback(
  db: Database,
  guestId: string,
  photoIds: readonly number[],
): Promise<Map<number, OwnFeedback>> {
  const own = new Map<number, OwnFeedback>()
  if (photoIds.length === 0) return own
  const isShort = photoIds.length <= maxShortRead
  const values = { ids: toParameter(db, photoIds), guestId }
  const rows = await runCompiled(db, `own feedback, short: ${isShort}`, values, ({ ids, guestId }) =>
    db
      .selectFrom('feedback')
      .select(['photo_id', 'kind', 'rating', 'color_label'])
      .where(isInParameter(db, 'photo_id', ids))
      .where('guest_id', '=', guestId)
      .where('kind', '<>', 'comment')
      .$if(isShort, (rows) => rows.modifyEnd(shortRead)),
  )
  for (const { photo_id, kind, rating, color_label } of rows) {
    const before = own.get(photo_id) ?? noFeedback
    own.set(photo_id, {
      my_rating: rating ?? before.my_rating,
      my_color_label: color_label ?? before.my_color_label,
      is_liked: before.is_liked || kind === 'like',
      is_favorited: before.is_favorited || kind === 'favorite',
    })
  }
  return own
}
