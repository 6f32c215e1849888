import type { FoundValue, ParsedXmp } from './parsed-xmp.ts'
import { cleanText, escapeText } from './xmp-escape.ts'
import type { Patch } from './xmp-insertions.ts'

/** The part of `photoshop:Instructions` that is ours. The text around it is that of the photographer. */
const opening = '[Proofroom]'
const closing = '[/Proofroom]'

/** Returns the text of our part, or an empty text for no notes. */
export function renderNotes(notes: string): string {
  const text = cleanText(notes).replaceAll(opening, '(Proofroom)').replaceAll(closing, '(Proofroom)')
  return text === '' ? '' : `${opening}\n${text}\n${closing}`
}

/** Programs write line breaks in other ways. */
const normalize = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** Returns our part of a value, or an empty text. */
export function findNotes(value: string): string {
  const start = value.indexOf(opening)
  const end = value.indexOf(closing, start)
  return start === -1 || end === -1 ? '' : value.slice(start, end + closing.length)
}

export const areEqualNotes = (a: string, b: string): boolean => normalize(a) === normalize(b)

/** Replaces, adds or removes our part in each copy of the instructions. Without one, the caller adds the property. */
export function replaceNotes(text: string, { values }: ParsedXmp, notes: string): Patch[] {
  const wanted = renderNotes(notes)
  return (values.get('instructions') ?? []).flatMap((found) =>
    areEqualNotes(findNotes(found.value), wanted) ? [] : [replaceInValue(text, found, escapeText(wanted))],
  )
}

function replaceInValue(text: string, { start, end, form, tagName }: FoundValue, wanted: string): Patch {
  if (form === 'emptyTag') return { start, end, text: `>${wanted}</${tagName}>` }
  const raw = text.slice(start, end)
  const from = raw.indexOf(opening)
  const to = raw.indexOf(closing, from)
  if (from === -1 || to === -1) {
    const separator = raw.trim() === '' ? '' : '&#10;'
    return { start: end, end, text: separator + wanted }
  }
  const separator = wanted === '' ? (/(&#(10|xA|xa);|\r?\n)$/.exec(raw.slice(0, from))?.[0] ?? '') : ''
  return { start: start + from - separator.length, end: start + to + closing.length, text: wanted }
}
