import { type ColorLabel, colorLabels } from '../../../contract/color-labels.ts'
import { parseXmp } from './parse-xmp.ts'
import type { FoundValue, ParsedXmp } from './parsed-xmp.ts'
import { RejectedXmp } from './rejected-xmp.ts'
import { decodeXmp } from './xmp-encoding.ts'
import type { PropertyName } from './xmp-properties.ts'

export type XmpValues = {
  /** -1 is a rejected photo. */
  rating: number | null
  /** The text of the label, in any language. */
  label: string | null
  /** The color of the label, where a program has written it without a language. */
  labelColor: ColorLabel | null
  identity: string | null
  /** What `synced` of a change was. */
  synced: string | null
  /** When a program says that it has last changed the file or its metadata: epoch milliseconds. */
  changedAt: number | null
  instructions: string | null
  keywords: string[]
}

/** What a photographer has given a file while culling. */
export type XmpMarks = Pick<XmpValues, 'rating' | 'label' | 'labelColor' | 'synced'>

/** No label set has names of this length. */
const maxLabelLength = 100

/** The numbers of digiKam. */
export const colorNumbers = { red: '1', yellow: '3', green: '4', blue: '5', purple: '6' } as const satisfies Record<
  ColorLabel,
  string
>

/** Returns the values of an XMP file. Throws RejectedXmp for a file that `mergeXmp` would not edit. */
export const readXmp = (bytes: Uint8Array): XmpValues => toValues(parseXmp(decodeXmp(bytes).text))

/** Returns null for a file that is rejected, and for one without marks. */
export function readXmpMarks(bytes: Uint8Array): XmpMarks | null {
  try {
    const { rating, label, labelColor, synced } = readXmp(bytes)
    if (rating === null && label === null && labelColor === null) return null
    const shortText = (text: string | null) => (text && text.length <= maxLabelLength ? text : null)
    return { rating, label: shortText(label), labelColor, synced: shortText(synced) }
  } catch (error) {
    if (error instanceof RejectedXmp) return null
    throw error
  }
}

/** Throws RejectedXmp with `contradiction`. */
export function toValues(parsed: ParsedXmp): XmpValues {
  const find = (name: PropertyName) => getSingleValue(parsed.values.get(name) ?? [])
  const rating = find('rating')
  const color = find('labelColor')
  const number = find('colorNumber')
  return {
    rating: rating !== null && /^[-+]?\d{1,3}(\.\d{1,6})?$/.test(rating) ? Number(rating) : null,
    label: find('label'),
    labelColor:
      colorLabels.find((label) => label === color || colorNumbers[label] === number) ?? findDarktableColor(parsed),
    identity: find('identity'),
    synced: find('synced'),
    changedAt: findLatest([...(parsed.values.get('metadataDate') ?? []), ...(parsed.values.get('modifyDate') ?? [])]),
    instructions: find('instructions'),
    keywords: [...new Set(parsed.keywords.flatMap(({ items }) => items.map(({ value }) => value)))],
  }
}

/** Returns null for several colors: the photo has no single one. */
function findDarktableColor({ darktableColors }: ParsedXmp): ColorLabel | null {
  const [number, another] = darktableColors.flatMap(({ items }) => items.map(({ value }) => value))
  return another === undefined && /^[0-4]$/.test(number ?? '') ? (colorLabels[Number(number)] ?? null) : null
}

/** A time without an offset is that of this computer. A date without a time says too little. */
function findLatest(found: readonly FoundValue[]): number | null {
  const times = found
    .filter(({ value }) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value))
    .map(({ value }) => Date.parse(value))
    .filter((time) => !Number.isNaN(time))
  return times.length === 0 ? null : Math.max(...times)
}

/** Returns null for an empty or missing value. Throws RejectedXmp for different values. */
export function getSingleValue(found: readonly FoundValue[]): string | null {
  const [first] = found
  if (!first) return null
  if (found.some(({ value }) => value !== first.value)) {
    throw new RejectedXmp('contradiction', `The file has two values of ${first.tagName}.`)
  }
  return first.value || null
}
