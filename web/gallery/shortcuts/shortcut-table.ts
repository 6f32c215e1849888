import type { ColorLabel } from '../../../contract/marks.ts'
import type { GalleryTextKey } from '../../../texts/gallery-texts.ts'

/** What a key does in the viewer alone. */
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

/** What it does to a photo of the grid as well: the one in focus. */
export type MarkAction = { rating: number } | { color: ColorLabel } | 'pick'

export type Action = ViewerAction | MarkAction | 'help'

export type Shortcut = {
  /** As KeyboardEvent has them, letters in lower case; they share `text`, each has its own action. */
  keys: Record<string, Action>
  text: GalleryTextKey
  /** Keys that write nothing stay on when the shortcuts are switched off (WCAG 2.1.4). */
  isAlwaysOn?: boolean
}

/** All keys there are: the listener and the help read them here. Stars and colours as Lightroom has them. */
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
  { keys: { z: 'actualSize' }, text: 'actualSize' },
  { keys: { f: 'fullScreen' }, text: 'fullScreen' },
  { keys: { c: 'compare' }, text: 'compareWithNext' },
  { keys: { ' ': 'slideshow' }, text: 'slideshow' },
  { keys: { '?': 'help' }, text: 'keyHelp' },
  { keys: { Escape: 'close' }, text: 'close', isAlwaysOn: true },
]

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** What the pressed key means; null for nothing of ours. With a modifier it belongs to the browser. */
export function actionOf(pressed: Pressed, areOn: boolean): Action | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null
  if (pressed.shiftKey && pressed.key !== '?') return null
  // Some keyboards have digits on the upper half of their keys only.
  const [, digit] = /^(?:Digit|Numpad)(\d)$/.exec(pressed.code) ?? []
  const key =
    pressed.key === '?' ? '?' : (digit ?? (pressed.key.length === 1 ? pressed.key.toLowerCase() : pressed.key))
  for (const { keys, isAlwaysOn = false } of shortcuts) {
    if ((areOn || isAlwaysOn) && Object.hasOwn(keys, key)) return keys[key] ?? null
  }
  return null
}

type Place = { tagName: string; isEditable: boolean }

/** Keys that a field, a list, a button or a player takes itself. */
export function takesKey({ tagName, isEditable }: Place, key: string): boolean {
  if (key === 'Escape') return false
  if (isEditable || ['INPUT', 'TEXTAREA', 'SELECT', 'VIDEO', 'OPTION'].includes(tagName)) return true
  return key === ' ' && ['BUTTON', 'A', 'SUMMARY'].includes(tagName)
}
