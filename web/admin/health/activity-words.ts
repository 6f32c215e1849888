import { hasText, keysOf, sayIn } from '../desk/language.ts'

const say = sayIn('health')

/** What was done, by the name of its call; the name itself where a newer service does what has no words here. */
export function actionWords(action: string): string {
  const key = `action_${action}`
  return hasText('health', key) ? say(key) : action
}

/** The names of all calls that there are words for. */
export const toldActions = (): string[] =>
  keysOf('health').flatMap((key) => (key.startsWith('action_') ? [key.replace('action_', '')] : []))

/** With how often, where a row stands for many calls. */
export const entryLabel = ({ action, outcome, count }: { action: string; outcome: string; count: number }): string => {
  const name = outcome === 'locked' ? say('lockedSignIn') : actionWords(action)
  return count > 1 ? say('manyTimes', { name, count }) : name
}
