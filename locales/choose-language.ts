/** Browsers send far less. What comes after this is not read. */
const maxHeaderLength = 1_000
const maxRanges = 50

const tagPattern = /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/
const qualityPattern = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/

type LanguageRange = { tag: string; quality: number }

/**
 * Returns the supported language with the highest quality in an `Accept-Language` header (RFC 9110, section 12.5.4), or
 * else `byDefault`, or else the first supported one. Languages with `q=0` are excluded; `*` stands for `byDefault`.
 */
export function chooseLanguage<Code extends string>(header: string, supported: readonly Code[], byDefault: Code): Code {
  const ranges = parseHeader(header)
  const excluded = ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag)
  const allowed = supported.filter((code) => !excluded.some((range) => isInRange(code.toLowerCase(), range)))
  const requested = ranges.filter(({ quality }) => quality > 0).toSorted((one, other) => other.quality - one.quality)
  const tags = requested.map(({ tag }) => (tag === '*' ? byDefault : tag))
  return findLanguage([...tags, byDefault], allowed) ?? supported[0] ?? byDefault
}

/**
 * Returns the supported language for the first possible tag, or null. A tag stands for itself, then for the tags without
 * its last subtags (RFC 4647, section 3.4), then for the first longer one: `de-AT` finds `de`, and `pt` finds `pt-BR`.
 */
export function findLanguage<Code extends string>(tags: readonly string[], supported: readonly Code[]): Code | null {
  for (const tag of tags) {
    const wanted = tag.toLowerCase()
    if (!tagPattern.test(wanted)) continue
    const prefixes = supported.filter((code) => isInRange(wanted, code.toLowerCase()))
    const [longest] = prefixes.toSorted((one, other) => other.length - one.length)
    const found = longest ?? supported.find((code) => isInRange(code.toLowerCase(), wanted))
    if (found !== undefined) return found
  }
  return null
}

const isInRange = (tag: string, range: string): boolean => tag === range || tag.startsWith(`${range}-`)

function parseHeader(header: string): LanguageRange[] {
  const elements = header.slice(0, maxHeaderLength).split(',', maxRanges)
  // The last element may be incomplete.
  if (header.length > maxHeaderLength && elements.length < maxRanges) elements.pop()
  return elements.flatMap((element) => {
    const [tag = '', weight = 'q=1', ...rest] = element.split(';', 3).map((part) => part.trim().toLowerCase())
    const quality = qualityPattern.exec(weight)?.[1]
    const isValid = quality !== undefined && rest.length === 0 && (tag === '*' || tagPattern.test(tag))
    return isValid ? [{ tag, quality: Number(quality) }] : []
  })
}
