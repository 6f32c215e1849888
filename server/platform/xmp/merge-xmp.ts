import type { ColorLabel } from '../../../contract/color-labels.ts'
import { parseXmp } from './parse-xmp.ts'
import type { FoundValue, ParsedXmp } from './parsed-xmp.ts'
import { colorNumbers, getSingleValue, toValues } from './read-xmp.ts'
import { RejectedXmp } from './rejected-xmp.ts'
import { decodeXmp, encodeXmp } from './xmp-encoding.ts'
import { cleanText, escapeText } from './xmp-escape.ts'
import { addProperties, type Patch, replaceDarktableColors } from './xmp-insertions.ts'
import { ownKeywordPrefix, replaceOwnKeywords } from './xmp-keywords.ts'
import { areEqualNotes, findNotes, renderNotes, replaceNotes } from './xmp-notes.ts'
import { fitPadding } from './xmp-padding.ts'
import type { PropertyName } from './xmp-properties.ts'

/** Missing keys are not changed. */
export type XmpChange = {
  /** 0 removes the stars, -1 rejects the photo. */
  rating?: number
  /** An empty text removes the label. */
  label?: { text: string; color: ColorLabel | null }
  identity?: string
  /** See `xmpProperties`; an empty text removes it. */
  synced?: string
  /** All keywords of this program, each with `ownKeywordPrefix`. */
  keywords?: readonly string[]
  /** Our part of the instructions; an empty text removes it. */
  notes?: string
}

/**
 * Returns the file with the changed values. All other bytes are the same, except spaces of the padding, so that the
 * length stays the same if there is padding. A missing property is written in the style of the file. Throws RejectedXmp.
 */
export function mergeXmp(bytes: Uint8Array, change: XmpChange): Buffer {
  const { text, encoding } = decodeXmp(bytes)
  const parsed = parseXmp(text)
  const patches = createPatches(text, parsed, change)
  if (patches.length === 0) return Buffer.from(bytes)
  const edited = applyPatches(text, patches)
  const merged = encodeXmp(fitPadding(text, edited, { parsed, encoding }), encoding)
  assertMerged(merged, change)
  return merged
}

function createPatches(text: string, parsed: ParsedXmp, change: XmpChange): Patch[] {
  const { rating, label, identity, synced, notes, keywords } = change
  const wanted: Array<[PropertyName, string]> = []
  if (rating !== undefined) wanted.push(['rating', String(rating)])
  if (label) wanted.push(['label', label.text])
  if (identity !== undefined) wanted.push(['identity', identity])
  if (synced !== undefined) wanted.push(['synced', synced])
  const missing = wanted.filter(([name, value]) => !parsed.values.has(name) && !isNothing(name, value))
  // What other programs prefer to the label must not contradict it, but is not written where it is missing.
  if (label)
    wanted.push(['labelColor', label.color ?? ''], ['colorNumber', label.color ? colorNumbers[label.color] : '0'])
  const replaced = wanted.flatMap(([name, value]) => replaceValues(parsed.values.get(name) ?? [], value))
  const recolored = label ? replaceDarktableColors(parsed, label.color) : []
  if (notes !== undefined && !parsed.values.has('instructions') && notes !== '') {
    missing.push(['instructions', renderNotes(notes)])
  }
  return [
    ...replaced,
    ...recolored,
    ...(notes === undefined ? [] : replaceNotes(text, parsed, notes)),
    ...addProperties(text, parsed, missing),
    ...(keywords === undefined ? [] : replaceOwnKeywords(text, parsed, keywords)),
  ]
}

/** A missing property says the same. */
const isNothing = (name: PropertyName, value: string): boolean => value === (name === 'rating' ? '0' : '')

function replaceValues(found: readonly FoundValue[], value: string): Patch[] {
  const current = getSingleValue(found) ?? ''
  if (current === value.trim() || (/^\d+(\.0+)?$/.test(current) && Number(current) === Number(value || 'NaN')))
    return []
  return found.map(({ start, end, form, tagName }) => {
    const escaped = escapeText(value)
    return { start, end, text: form === 'emptyTag' ? `>${escaped}</${tagName}>` : escaped }
  })
}

function applyPatches(text: string, patches: readonly Patch[]): string {
  let edited = ''
  let position = 0
  for (const { start, end, text: replacement } of patches.toSorted((a, b) => a.start - b.start)) {
    edited += text.slice(position, start) + replacement
    position = end
  }
  return edited + text.slice(position)
}

/** Reads the result as the next program will. */
function assertMerged(merged: Buffer, { rating, label, identity, synced, notes, keywords }: XmpChange): void {
  const values = toValues(parseXmp(decodeXmp(merged).text))
  const isMerged =
    (rating === undefined || (values.rating ?? 0) === rating) &&
    (label === undefined || (values.label ?? '') === cleanText(label.text)) &&
    (identity === undefined || (values.identity ?? '') === cleanText(identity)) &&
    (synced === undefined || (values.synced ?? '') === cleanText(synced)) &&
    (notes === undefined || areEqualNotes(findNotes(values.instructions ?? ''), renderNotes(notes))) &&
    (keywords === undefined || hasOwnKeywords(values.keywords, keywords))
  if (!isMerged) throw new RejectedXmp('structure', 'The file cannot be edited.')
}

function hasOwnKeywords(found: readonly string[], wanted: readonly string[]): boolean {
  const own = found.filter((keyword) => keyword.startsWith(ownKeywordPrefix))
  return new Set(wanted).size === own.length && wanted.every((keyword) => own.includes(cleanText(keyword)))
}
