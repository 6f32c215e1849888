/** The size limit of a segment, without its marker. */
const maxSegmentBytes = 65_535
const profileName = 'ICC_PROFILE\0'
const maxProfileBytes = maxSegmentBytes - 2 - profileName.length - 2
const maxProfileSegments = 255

/** Returns the segment of a JPEG that has a TIFF block. */
export const createExifSegment = (block: Buffer): Buffer => createSegment(0xe1, 'Exif\0\0', block)

/** Returns the segments of a JPEG that have an ICC profile, none for a profile that is too large. */
export function createProfileSegments(profile: Buffer): Buffer[] {
  const count = Math.ceil(profile.length / maxProfileBytes)
  if (count > maxProfileSegments) return []
  return Array.from({ length: count }, (_, index) => {
    const part = profile.subarray(index * maxProfileBytes, (index + 1) * maxProfileBytes)
    return createSegment(0xe2, profileName, Buffer.concat([Buffer.from([index + 1, count]), part]))
  })
}

function createSegment(marker: number, name: string, content: Buffer): Buffer {
  const head = Buffer.from(`\xff\0\0\0${name}`, 'latin1')
  head[1] = marker
  head.writeUInt16BE(2 + name.length + content.length, 2)
  return Buffer.concat([head, content])
}
