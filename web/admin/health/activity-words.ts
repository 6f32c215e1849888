import { hasText, keysOf, sayIn } from '../desk/language.ts'

const say = sayIn('health')

/** Returns the label of an action; the action itself where a newer server has one without a label. */
export function actionWords(action: string): string {
  const key = `action_${action}`
  return hasText('health', key) ? say(key) : action
}

export const toldActions = (): string[] =>
  keysOf('health').flatMap((key) => (key.startsWith('action_') ? [key.replace('action_', '')] : []))

/** A row may stand for several calls: the label then includes their number. */
export const entryLabel = ({ action, outcome, count }: { action: string; outcome: string; count: number }): string => {
  const name = outcome === 'locked' ? say('lockedSignIn') : actionWords(action)
  return count > 1 ? say('manyTimes', { name, count }) : name
}
