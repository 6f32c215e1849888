import type { Schemas } from '../../api/api.ts'

export type MoveTarget = Pick<Schemas['MovePhotosBody'], 'place' | 'photo_id'>

/**
 * Returns the photo before or after which the moved photos are put. `insertAt`: the index before which they are put;
 * `count` is the end. Null if `idAt` does not know a photo that is needed, or if all photos are moved.
 */
export function findMoveTarget(
  { insertAt, count, moved }: { insertAt: number; count: number; moved: ReadonlySet<number> },
  idAt: (index: number) => number | null,
): MoveTarget | null {
  for (let index = insertAt; index < count; index++) {
    const id = idAt(index)
    if (id === null) return null
    if (!moved.has(id)) return { place: 'before', photo_id: id }
  }
  for (let index = insertAt - 1; index >= 0; index--) {
    const id = idAt(index)
    if (id === null) return null
    if (!moved.has(id)) return { place: 'after', photo_id: id }
  }
  return null
}
