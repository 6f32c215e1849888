import type { SelectionDifference, SnapshotPhoto } from '../../../contract/gallery/rounds.ts'
import type { AgreedSelection } from './agreed-selections.ts'

type Compared = Pick<AgreedSelection, 'number'> & { snapshot: { photos: SnapshotPhoto[] } }

/** Returns what has changed from one selection to another. Without `from`, all photos were added. */
export function compareSelections(from: Compared | null, to: Compared): SelectionDifference {
  const before = new Map(from?.snapshot.photos.map((photo) => [photo.id, photo]))
  const after = new Set(to.snapshot.photos.map(({ id }) => id))
  return {
    from: from && describe(from),
    to: describe(to),
    added: to.snapshot.photos.filter(({ id }) => !before.has(id)).map(toListed),
    removed: [...before.values()].filter(({ id }) => !after.has(id)).map(toListed),
    changed: to.snapshot.photos.flatMap((photo) => {
      const earlier = before.get(photo.id)
      if (!earlier || hasSameMarks(earlier, photo)) return []
      const { id, source_filename } = photo
      return [{ id, source_filename, before: marksOf(earlier), after: marksOf(photo) }]
    }),
  }
}

const describe = ({ number, snapshot }: Compared) => ({ number, count: snapshot.photos.length })

const marksOf = ({ rating, color_label, is_liked }: SnapshotPhoto) => ({ rating, color_label, is_liked })

const toListed = (photo: SnapshotPhoto) => ({
  id: photo.id,
  source_filename: photo.source_filename,
  ...marksOf(photo),
})

const hasSameMarks = (a: SnapshotPhoto, b: SnapshotPhoto): boolean =>
  a.rating === b.rating && a.color_label === b.color_label && a.is_liked === b.is_liked
