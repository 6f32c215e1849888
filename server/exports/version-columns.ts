import type { TranslateCatalog } from '../../locales/catalogs.ts'
import type { EventRow } from '../events/event-rows.ts'
import { reviewPhotos } from '../photos/versions/review-photos.ts'
import type { AppContext } from '../settings/app-context.ts'
import type { Column } from './marks-csv.ts'

/** Returns the columns with the current version and its state, for an event that keeps versions. `t`: null for keys. */
export async function createVersionColumns(
  { db }: AppContext,
  event: EventRow,
  t: TranslateCatalog<'exports'> | null,
): Promise<Column[]> {
  if (event.keep_versions === 0) return []
  const { photos } = await reviewPhotos(db, event)
  const reviewed = new Map(photos.map((photo) => [photo.photo_id, photo]))
  return [
    { header: t?.('version') ?? 'version', read: ({ photoId }) => reviewed.get(photoId)?.version ?? 1 },
    {
      header: t?.('decision') ?? 'decision',
      read({ photoId }) {
        const state = reviewed.get(photoId)?.state ?? 'unasked'
        if (t === null) return state
        return state === 'unasked' ? '' : t(`decision_${state}`)
      },
    },
  ]
}
