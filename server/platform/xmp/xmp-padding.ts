import type { ParsedXmp } from './parsed-xmp.ts'
import { countUnits, type XmpEncoding } from './xmp-encoding.ts'

/** Programs pad a packet with kilobytes. A line break and an indentation are not padding. */
const minPadding = 100

/**
 * Returns `edited` with as many spaces of its padding removed or added that it has the length of `text`, or unchanged if
 * the padding is too small.
 */
export function fitPadding(
  text: string,
  edited: string,
  { parsed, encoding }: { parsed: ParsedXmp; encoding: XmpEncoding },
): string {
  if (parsed.packetEnd === null) return edited
  const packetEnd = edited.length - (text.length - parsed.packetEnd)
  const before = edited.slice(0, packetEnd)
  const content = before.trimEnd()
  const padding = before.slice(content.length)
  if (padding.length < minPadding) return edited
  const growth = countUnits(edited, encoding) - countUnits(text, encoding)
  const fitted = growth > 0 ? removeSpaces(padding, growth) : addSpaces(padding, -growth)
  return fitted === null ? edited : content + fitted + edited.slice(packetEnd)
}

/** Removes the last spaces, and keeps the line breaks between them. */
function removeSpaces(padding: string, count: number): string | null {
  let position = padding.length
  let kept = ''
  for (let left = count; left > 0; left--) {
    const space = position === 0 ? -1 : padding.lastIndexOf(' ', position - 1)
    if (space === -1) return null
    kept = padding.slice(space + 1, position) + kept
    position = space
  }
  return padding.slice(0, position) + kept
}

function addSpaces(padding: string, count: number): string {
  const [lastBreak = ''] = /[\r\n]*$/.exec(padding) ?? []
  return padding.slice(0, padding.length - lastBreak.length) + ' '.repeat(count) + lastBreak
}
