import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import type { ColorLabel } from '../../../contract/marks.ts'
import { showNotice } from '../parts/notices.tsx'
import { pickKind, t } from '../state/page.ts'
import { getPhoto } from '../state/photos.ts'
import { ensureGuestName } from './guest-name.ts'
import { queueMark } from './mark-queue.ts'
import { showMark } from './own-marks.ts'
import type { MarkBody } from './waiting-mark.ts'

export type Mark =
  | { kind: 'pick'; isPicked: boolean }
  /** 0 clears the rating. */
  | { kind: 'rating'; rating: number }
  | { kind: 'color'; color: ColorLabel | null }

export const isPicked = (photo: GalleryPhoto): boolean =>
  pickKind === 'favorite' ? photo.is_favorited : photo.is_liked

/** Shows a mark with an undo and queues it. Does nothing if the guest does not give a name that is required. */
export async function applyMark(photoId: number, mark: Mark): Promise<void> {
  const photo = getPhoto(photoId).peek()
  if (!photo || (mark.kind === 'pick' && pickKind === null)) return
  if (!(await ensureGuestName())) return
  const before = getMark(photo, mark.kind)
  if (JSON.stringify(before) === JSON.stringify(mark)) return
  setMark(photoId, mark)
  showNotice(markLabel(mark), { undo: () => setMark(photoId, before) })
}

function getMark(photo: GalleryPhoto, kind: Mark['kind']): Mark {
  if (kind === 'pick') return { kind, isPicked: isPicked(photo) }
  if (kind === 'rating') return { kind, rating: photo.my_rating ?? 0 }
  return { kind, color: photo.my_color_label }
}

/** Marks without a notice and without asking for a name. Does nothing for a photo that is not loaded. */
export function setMark(photoId: number, mark: Mark): void {
  const photo = getPhoto(photoId).peek()
  if (!photo) return
  const before = toMarkBody(getMark(photo, mark.kind))
  showMark(photoId, toMarkBody(mark))
  queueMark(photoId, toMarkBody(mark), before)
}

/** The body states the final value, so that a repeated request has no further effect. */
function toMarkBody(mark: Mark): MarkBody {
  if (mark.kind === 'pick') return { feedback_type: pickKind ?? 'like', set: mark.isPicked }
  if (mark.kind === 'rating') return { feedback_type: 'rating', rating: mark.rating }
  return { feedback_type: 'color_label', color_label: mark.color, set: mark.color !== null }
}

function markLabel(mark: Mark): string {
  if (mark.kind === 'pick') return t(mark.isPicked ? 'photoPicked' : 'photoUnpicked')
  if (mark.kind === 'rating') return mark.rating === 0 ? t('noStars') : t('stars', { count: mark.rating })
  return mark.color === null ? t('noColour') : t(mark.color)
}
