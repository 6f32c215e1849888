import type { LiveFeedback } from '../../../contract/live.ts'
import { sayIn } from '../desk/language.ts'
import { colorWords } from '../photos/photo-words.ts'

const say = sayIn('proofing')

/** What a guest has just done, in a sentence; null for what operators have done. */
export function liveWords(mark: LiveFeedback): string | null {
  const guest = mark.guest_name ?? say('somebody')
  const photo = mark.original_filename ?? say('aPhoto')
  if (mark.did === 'removed') return say('liveRemoved', { guest, photo })
  if (mark.did !== 'created' && mark.did !== 'updated') return null
  switch (mark.feedback_type) {
    case 'favorite':
    case 'like':
      return say('livePicked', { guest, photo })
    case 'rating':
      return say('liveRated', { guest, photo, count: mark.rating ?? 0 })
    case 'color_label':
      return mark.color_label ? say('liveLabeled', { guest, photo, color: colorWords(mark.color_label) }) : null
    case 'comment':
      return say('liveCommented', { guest, photo })
  }
}

/** Of several that came at once, one sentence. */
export function digestWords(marks: readonly LiveFeedback[]): string {
  const told = marks.map(liveWords).filter((words) => words !== null)
  return told.length > 1 ? say('liveMany', { count: told.length }) : (told[0] ?? '')
}
