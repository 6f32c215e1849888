import type { LiveFeedback, LiveSelection } from '../../../contract/live.ts'
import { sayIn } from '../desk/language.ts'
import { colorWords } from '../photos/photo-words.ts'

const say = sayIn('proofing')

/** Oldest first. */
export type LiveTold = { feedback: readonly LiveFeedback[]; selections: readonly LiveSelection[] }

/** Returns a sentence for each action of a guest; actions of operators are left out. */
export const liveSentences = ({ feedback, selections }: LiveTold): string[] => [
  ...feedback.map(markWords).filter((words) => words !== null),
  ...selections.map(({ guest_name, count }) => say('liveHandedIn', { guest: guest_name ?? say('somebody'), count })),
]

/** Returns a short announcement: several marks become one sentence, but each selection is named. */
export function digestWords({ feedback, selections }: LiveTold): string {
  const marks = liveSentences({ feedback, selections: [] })
  const ofMarks = marks.length > 1 ? [say('liveMany', { count: marks.length })] : marks
  return [...ofMarks, ...liveSentences({ feedback: [], selections })].join('. ')
}

function markWords(mark: LiveFeedback): string | null {
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
