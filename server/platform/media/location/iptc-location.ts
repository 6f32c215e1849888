/** Record 2: content location (26, 27), city, sublocation, province or state, country code, country name. */
const locationDatasets = new Set([26, 27, 90, 92, 95, 100, 101])

const marker = 0x1c

/** Removes the location datasets and everything after an invalid one; zeros at the end keep the length. */
export function removeLocationDatasets(iim: Buffer): Buffer {
  const kept = Buffer.alloc(iim.length)
  let keptBytes = 0
  for (let at = 0; at + 5 <= iim.length && iim[at] === marker; ) {
    const length = iim.readUInt16BE(at + 3)
    const end = at + 5 + length
    // The extended form, which no location needs.
    if (length > 0x7fff || end > iim.length) break
    const isLocation = iim[at + 1] === 2 && locationDatasets.has(iim[at + 2] ?? 0)
    if (!isLocation) keptBytes += iim.copy(kept, keptBytes, at, end)
    at = end
  }
  return kept
}

/** `start` is the offset among the image resources. */
export type PhotoshopResource = { id: number; start: number; length: number }

export const resourceIds = { iptc: 0x0404, exif: 0x0422, secondExif: 0x0423, xmp: 0x0424 }

/** Returns null when the resources are truncated or something else is between them. */
export function photoshopResources(bytes: Buffer): PhotoshopResource[] | null {
  const resources: PhotoshopResource[] = []
  let at = 0
  while (at + 12 <= bytes.length && bytes[at] !== 0) {
    if (!/^[8A-Z][A-Z]{3}$|^8BIM$|^MeSa$/.test(bytes.toString('latin1', at, at + 4))) return null
    const nameBytes = bytes[at + 6] ?? 0
    const sizeAt = at + 6 + ((nameBytes + 2) & ~1)
    if (sizeAt + 4 > bytes.length) return null
    const length = bytes.readUInt32BE(sizeAt)
    if (sizeAt + 4 + length > bytes.length) return null
    resources.push({ id: bytes.readUInt16BE(at + 4), start: sizeAt + 4, length })
    at = sizeAt + 4 + length + (length & 1)
  }
  return resources
}
