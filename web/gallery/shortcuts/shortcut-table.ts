import type { ColorLabel } from '../../../contract/marks.ts'
import type { MessageKey } from '../../../locales/catalogs.ts'

export type ViewerAction =
  | 'next'
  | 'previous'
  | 'first'
  | 'last'
  | 'actualSize'
  | 'fullScreen'
  | 'compare'
  | 'slideshow'
  | 'close'

/** Actions that also apply to the focused photo of the grid. */
export type MarkAction = { rating: number } | { color: ColorLabel } | 'pick'

export type Action = ViewerAction | MarkAction | 'myPicks' | 'help'

export const isMarkAction = (action: Action | null): action is MarkAction =>
  action === 'pick' || (action !== null && typeof action === 'object')

type Shortcut = {
  /** By `KeyboardEvent.key`, with letters in lower case. `text` describes all of these keys. */
  keys: Record<string, Action>
  text: MessageKey<'gallery'>
  /** Keys that type no character stay active when shortcuts are off (WCAG 2.1.4). */
  isAlwaysOn?: boolean
}

/** The keys for stars and colors are the same as in Lightroom. */
export const shortcuts: readonly Shortcut[] = [
  { keys: { ArrowRight: 'next', PageDown: 'next' }, text: 'nextPhoto', isAlwaysOn: true },
  { keys: { ArrowLeft: 'previous', PageUp: 'previous' }, text: 'previousPhoto', isAlwaysOn: true },
  { keys: { Home: 'first', End: 'last' }, text: 'keyEnds', isAlwaysOn: true },
  { keys: { p: 'pick' }, text: 'pick' },
  {
    keys: { 1: { rating: 1 }, 2: { rating: 2 }, 3: { rating: 3 }, 4: { rating: 4 }, 5: { rating: 5 } },
    text: 'rating',
  },
  { keys: { 0: { rating: 0 } }, text: 'noStars' },
  { keys: { 6: { color: 'red' } }, text: 'red' },
  { keys: { 7: { color: 'yellow' } }, text: 'yellow' },
  { keys: { 8: { color: 'green' } }, text: 'green' },
  { keys: { 9: { color: 'blue' } }, text: 'blue' },
  { keys: { m: 'myPicks' }, text: 'myPicks' },
  { keys: { z: 'actualSize' }, text: 'actualSize' },
  { keys: { f: 'fullScreen' }, text: 'fullScreen' },
  { keys: { c: 'compare' }, text: 'compareWithNext' },
  { keys: { ' ': 'slideshow' }, text: 'slideshow' },
  { keys: { '?': 'help' }, text: 'keyHelp' },
  { keys: { Escape: 'close' }, text: 'close', isAlwaysOn: true },
]

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** Returns null for a key without an active shortcut, or with a modifier, except Shift for the question mark. */
export function findAction(pressed: Pressed, areEnabled: boolean): Action | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null
  if (pressed.shiftKey && pressed.key !== '?') return null
  // Some keyboards type digits only with Shift, so digit keys are recognized by `code`.
  const [, digit] = /^(?:Digit|Numpad)(\d)$/.exec(pressed.code) ?? []
  const key =
    pressed.key === '?' ? '?' : (digit ?? (pressed.key.length === 1 ? pressed.key.toLowerCase() : pressed.key))
  for (const { keys, isAlwaysOn = false } of shortcuts) {
    if ((areEnabled || isAlwaysOn) && Object.hasOwn(keys, key)) return keys[key] ?? null
  }
  return null
}

type Target = Pick<HTMLElement, 'tagName' | 'isContentEditable'>

/** Returns whether the focused element, such as a field or a button, handles the key itself. */
export function handlesKeyItself({ tagName, isContentEditable }: Target, key: string): boolean {
  if (key === 'Escape') return false
  if (isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT', 'VIDEO', 'OPTION'].includes(tagName)) return true
  return key === ' ' && ['BUTTON', 'A', 'SUMMARY'].includes(tagName)
}
