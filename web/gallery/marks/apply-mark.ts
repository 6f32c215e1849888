import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import type { ColorLabel } from '../../../contract/marks.ts'
import { must } from '../../../contract/must.ts'
import { hideNotice, showNotice } from '../parts/notices.tsx'
import { pickKind, t } from '../state/page.ts'
import { getPhoto } from '../state/photos.ts'
import { ensureGuestName } from './guest-name.ts'
import { queueMark } from './mark-queue.ts'
import { showMark } from './own-marks.ts'
import { roundHooks } from './round-hooks.ts'
import type { MarkBody } from './waiting-mark.ts'

export const pickMark = (set: boolean): MarkBody => ({ feedback_type: must(pickKind, 'pickKind'), set })
/** 0 clears the rating. */
export const ratingMark = (rating: number): MarkBody => ({ feedback_type: 'rating', rating })
const colorMark = (color_label: ColorLabel | null): MarkBody => {
  return { feedback_type: 'color_label', color_label, set: color_label !== null }
}

export const isPicked = (photo: GalleryPhoto): boolean =>
  pickKind === 'favorite' ? photo.is_favorited : photo.is_liked

export async function togglePick(photo: GalleryPhoto): Promise<void> {
  if (pickKind !== null) await applyMark(photo.id, pickMark(!isPicked(photo)))
}

/** Clears the color label if the photo already has this color. */
export const toggleColor = (photo: GalleryPhoto, color: ColorLabel): Promise<void> =>
  applyMark(photo.id, colorMark(photo.my_color_label === color ? null : color))

/**
 * Shows and queues a mark, with a notice that offers undo, except for a pick that is given: a second tap takes it away. Sets no
 * mark if the photo is not loaded, the mark is unchanged or not allowed now, or the guest does not give a required name.
 */
export async function applyMark(photoId: number, mark: MarkBody): Promise<void> {
  const photo = getPhoto(photoId).peek()
  if (!photo || roundHooks.peek()?.allowsMark(mark) === false || !(await ensureGuestName())) return
  const before = getMark(photo, mark.feedback_type)
  if (JSON.stringify(before) === JSON.stringify(mark)) return
  setMark(photoId, mark)
  if (mark.feedback_type !== pickKind || !mark.set)
    showNotice(markLabel(mark), { undo: () => setMark(photoId, before) })
  else hideNotice()
}

function getMark(photo: GalleryPhoto, type: MarkBody['feedback_type']): MarkBody {
  if (type === 'rating') return ratingMark(photo.my_rating ?? 0)
  return type === 'color_label' ? colorMark(photo.my_color_label) : pickMark(isPicked(photo))
}

/** Shows and queues a mark without a notice. Does nothing for a photo that is not loaded. */
export function setMark(photoId: number, mark: MarkBody): void {
  const photo = getPhoto(photoId).peek()
  if (!photo) return
  const before = getMark(photo, mark.feedback_type)
  showMark(photoId, mark)
  void queueMark(photoId, mark, before)
}

export function markLabel({ feedback_type, rating, color_label, set }: MarkBody): string {
  if (feedback_type === 'rating') return rating ? t('stars', { count: rating }) : t('noStars')
  if (feedback_type === 'color_label') return t(color_label ?? 'noColour')
  return t(set ? 'photoPicked' : 'photoUnpicked')
}
