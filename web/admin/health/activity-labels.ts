import { hasMessage, listMessageKeys, translator } from '../app/language.ts'

const t = translator('health')

/** Returns the label of an action; the action itself where a newer server has one without a label. */
export function actionLabel(action: string): string {
  const key = `action_${action}`
  return hasMessage('health', key) ? t(key) : action
}

export const listLabeledActions = (): string[] =>
  listMessageKeys('health').flatMap((key) => (key.startsWith('action_') ? [key.replace('action_', '')] : []))

/** A row may stand for several calls: the label then includes their number. */
export const entryLabel = ({ action, outcome, count }: { action: string; outcome: string; count: number }): string => {
  const name = outcome === 'locked' ? t('lockedSignIn') : actionLabel(action)
  return count > 1 ? t('manyTimes', { name, count }) : name
}
