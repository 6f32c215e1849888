import type { LiveDecision, LiveFeedback, LiveSelection } from '../../../../contract/live.ts'
import { colorName } from '../../app/color-name.ts'
import { translator } from '../../app/language.ts'

const t = translator('feedback')

/** All lists are sorted from oldest to newest. */
export type LiveActivity = {
  feedback: readonly LiveFeedback[]
  selections: readonly LiveSelection[]
  decisions: readonly LiveDecision[]
}

/** Returns a sentence for each action of a guest; actions of operators have none. */
export const describeActivity = ({ feedback, selections, decisions }: LiveActivity): string[] => [
  ...feedback.map(marksLabel).filter((words) => words !== null),
  ...selections.map(selectionLabel).filter((words) => words !== null),
  ...decisions.map(decisionLabel),
]

/** Returns a short announcement: one sentence for all feedback and decisions, and one for each other activity. */
export function summarizeActivity({ feedback, selections, decisions }: LiveActivity): string {
  const { completed = [], decided = [] } = Object.groupBy(decisions, ({ did }) =>
    did === 'completed' ? did : 'decided',
  )
  const marks = describeActivity({ feedback, selections: [], decisions: decided })
  const ofMarks = marks.length > 1 ? [t('liveMany', { count: marks.length })] : marks
  return [...ofMarks, ...describeActivity({ feedback: [], selections, decisions: completed })].join('. ')
}

function decisionLabel({ did, decision, count, guest_name, original_filename }: LiveDecision): string {
  if (did === 'completed') return t('liveAllApproved', { count: count ?? 0 })
  const names = { guest: guest_name ?? t('somebody'), photo: original_filename ?? t('aPhoto') }
  return t(decision ? `live_${decision}` : 'liveUndecided', names)
}

function selectionLabel({ did, guest_name, count }: LiveSelection): string | null {
  const guest = guest_name ?? t('somebody')
  if (did === 'requested') return t('liveAsksToReopen', { guest })
  return did === 'submitted' ? t('liveHandedIn', { guest, count }) : null
}

function marksLabel(mark: LiveFeedback): string | null {
  const guest = mark.guest_name ?? t('somebody')
  const photo = mark.original_filename ?? t('aPhoto')
  if (mark.did === 'removed') return t('liveRemoved', { guest, photo })
  if (mark.did !== 'created' && mark.did !== 'updated') return null
  switch (mark.feedback_type) {
    case 'favorite':
    case 'like':
      return t('livePicked', { guest, photo })
    case 'rating':
      return t('liveRated', { guest, photo, count: mark.rating ?? 0 })
    case 'color_label':
      return mark.color_label ? t('liveLabeled', { guest, photo, color: colorName(mark.color_label) }) : null
    case 'comment':
      return t('liveCommented', { guest, photo })
  }
}
