type Span = { start: number; end: number }

/** Local names, because XMP prefixes are arbitrary. The photographer's address (`CiAdrCity` …) is not included. */
const locationNames = new Set(
  (
    'City State Country CountryCode CountryName ProvinceState Sublocation Location LocationName LocationId ' +
    'LocationCreated LocationShown WorldRegion shotLocation AbsoluteAltitude RelativeAltitude lat long lon lng'
  ).split(' '),
)
/** GPS fields of EXIF and of drones. */
const positionName = /^(gps|(latitude|longitude|altitude)(ref)?$)/i

const maxDepth = 200
const space = 0x20

/**
 * Replaces location attributes and elements with spaces. Blanks the whole packet when it cannot be parsed, because
 * other programs may still find a location in it. Takes linear time.
 */
export function blankLocations(xmp: Buffer): Buffer {
  const spans = findLocationSpans(xmp.toString('latin1'))
  if (!spans) return Buffer.alloc(xmp.length, space)
  const blanked = Buffer.from(xmp)
  for (const { start, end } of spans) blanked.fill(space, start, end)
  return blanked
}

/**
 * `xmp` has one character for each byte. Returns null when it is not well-formed, has declarations, NUL characters
 * before the end (as in UTF-16) or more than `maxDepth` levels.
 */
function findLocationSpans(xmp: string): Span[] | null {
  let length = xmp.length
  while (xmp[length - 1] === '\0') length--
  if (xmp.slice(0, length).includes('\0')) return null
  const spans: Span[] = []
  const open: Array<{ name: string; start: number }> = []
  let outermostLocation = -1
  for (let at = xmp.indexOf('<'); at >= 0; at = xmp.indexOf('<', at)) {
    const passed = skipNonElement(xmp, at)
    if (passed === null) return null
    if (passed > at) {
      at = passed
      continue
    }
    if (xmp[at + 1] === '/') {
      const end = xmp.indexOf('>', at) + 1
      const element = open.pop()
      if (end === 0 || element?.name !== xmp.slice(at + 2, end - 1).trimEnd()) return null
      if (open.length === outermostLocation) {
        spans.push({ start: element.start, end })
        outermostLocation = -1
      }
      at = end
      continue
    }
    const tag = readTag(xmp, at)
    if (!tag || open.length === maxDepth) return null
    const isLocation = isLocationName(tag.name)
    if (outermostLocation < 0 && !isLocation) spans.push(...tag.locations)
    if (outermostLocation < 0 && isLocation && tag.isEmpty) spans.push({ start: at, end: tag.end })
    if (!tag.isEmpty) {
      if (outermostLocation < 0 && isLocation) outermostLocation = open.length
      open.push({ name: tag.name, start: at })
    }
    at = tag.end
  }
  return open.length === 0 ? spans : null
}

/** Returns `at` for a tag, the position after a comment, CDATA or instruction, and null for anything else. */
function skipNonElement(xmp: string, at: number): number | null {
  const nonElements: Array<[string, string]> = [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
  ]
  const [start, end] = nonElements.find(([start]) => xmp.startsWith(start, at)) ?? []
  if (!start || !end) return xmp[at + 1] === '!' ? null : at
  const found = xmp.indexOf(end, at + start.length)
  return found < 0 ? null : found + end.length
}

const namePattern = /[^\s/>=<"']+/y
const attributePattern = /\s+([^\s/>=<"']+)\s*=\s*(?:"[^"]*"|'[^']*')/y
const endPattern = /\s*(\/?)>/y

type Tag = { name: string; end: number; isEmpty: boolean; locations: Span[] }

function readTag(xmp: string, at: number): Tag | null {
  const name = matchAt(namePattern, xmp, at + 1)
  if (!name) return null
  const locations: Span[] = []
  let position = at + 1 + name[0].length
  for (;;) {
    const attribute = matchAt(attributePattern, xmp, position)
    if (!attribute) break
    const end = position + attribute[0].length
    if (isLocationName(attribute[1] ?? '')) locations.push({ start: position, end })
    position = end
  }
  const close = matchAt(endPattern, xmp, position)
  if (!close) return null
  return { name: name[0], end: position + close[0].length, isEmpty: close[1] === '/', locations }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function isLocationName(name: string): boolean {
  if (name.startsWith('xmlns')) return false
  const local = name.slice(name.lastIndexOf(':') + 1)
  return locationNames.has(local) || positionName.test(local)
}
