import type { SameName } from '../bulk-photos.ts'
import { isSameTime } from './capture-times.ts'

/**
 * `otherTime`: of a photo with the name, taken at another time. `similarName`: only the extension differs. `earlier`: the photo
 * had this file before it was replaced.
 */
export type SameNameKind = 'sameName' | 'similarName' | 'otherTime' | 'severalNames' | 'earlier'

/** Returns the photo that a file can replace. It is null if several photos have the name, and the time does not say which. */
export function findReplaceable(
  { photos, is_exact }: SameName,
  capturedAt: number | null,
): { kind: SameNameKind; photoId: number | null } {
  const timed = photos.map(({ id, captured_at }) => ({
    id,
    time: captured_at === null ? null : Date.parse(captured_at),
  }))
  const [only, ...others] = timed.length === 1 ? timed : timed.filter(({ time }) => isSameTime(time, capturedAt))
  if (!only || others.length > 0) return { kind: 'severalNames', photoId: null }
  const isOther = only.time !== null && capturedAt !== null && !isSameTime(only.time, capturedAt)
  return { kind: isOther ? 'otherTime' : is_exact ? 'sameName' : 'similarName', photoId: only.id }
}
