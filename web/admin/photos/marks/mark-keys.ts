import type { ColorLabel } from '../../../../contract/marks.ts'

export type MarkChange = { rating?: number | null; color_label?: ColorLabel | null }

const colors: Record<string, ColorLabel> = { 6: 'red', 7: 'yellow', 8: 'green', 9: 'blue' }

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Returns the mark of a digit key as in Lightroom: 1 to 5 stars, 0 no stars, 6 to 9 a color; null for other keys. */
export function markForKey({ key, code, ctrlKey, metaKey, altKey }: KeyPress): MarkChange | null {
  if (ctrlKey || metaKey || altKey) return null
  // On some layouts (French, for example) digits need Shift, so `code` is checked before `key`.
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1] ?? key
  if (/^[1-5]$/.test(digit)) return { rating: Number(digit) }
  if (digit === '0') return { rating: null }
  const color = colors[digit]
  return color ? { color_label: color } : null
}

type OwnMarks = { my_rating: number | null; my_color_label: ColorLabel | null }

/** Returns `change`, or a change that removes the color if all photos already have that color. */
export function resolveMarkChange(change: MarkChange, photos: readonly OwnMarks[]): MarkChange {
  const { color_label: color } = change
  const isOnAll = color && photos.length > 0 && photos.every(({ my_color_label }) => my_color_label === color)
  return isOnAll ? { ...change, color_label: null } : change
}

export const applyMark = <Photo extends OwnMarks>(photo: Photo, { rating, color_label }: MarkChange): Photo => ({
  ...photo,
  ...(rating !== undefined && { my_rating: rating }),
  ...(color_label !== undefined && { my_color_label: color_label }),
})
