/** A multipart request body, in parts to be sent in order. */
export type UploadBody = { contentType: string; parts: readonly Buffer[]; sizeBytes: number }

const boundary = 'proofroom-bench-7d1c5e0a9b3f4286'
const closing = Buffer.from(`\r\n--${boundary}--\r\n`)
const startOfImage = 2

/**
 * Each body has a different comment segment (FF FE), or in a HEIC file a different box `free`, so that no two files are
 * equal but all decode to the same pixels.
 */
export function readPicture(picture: Buffer): { createBody: (index: number) => UploadBody } {
  const isJpeg = picture[0] === 0xff
  const [start, rest] = isJpeg
    ? [picture.subarray(0, startOfImage), picture.subarray(startOfImage)]
    : [picture, Buffer.alloc(0)]
  const extension = isJpeg ? 'jpg' : 'heic'
  const run = `${Date.now()}-${process.pid}`
  return {
    createBody(index) {
      const text = Buffer.from(`${run}-${index}`)
      const comment = isJpeg
        ? [Buffer.from([0xff, 0xfe, 0, text.length + 2]), text]
        : [Buffer.from([0, 0, 0, text.length + 8]), Buffer.from('free'), text]
      const disposition = `Content-Disposition: form-data; name="photo"; filename="bench-${index}.${extension}"`
      const partHead = Buffer.from(
        `--${boundary}\r\n${disposition}\r\nContent-Type: image/${isJpeg ? 'jpeg' : 'heic'}\r\n\r\n`,
      )
      const parts = [Buffer.concat([partHead, start, ...comment]), rest, closing]
      const sizeBytes = parts.reduce((sum, part) => sum + part.length, 0)
      return { contentType: `multipart/form-data; boundary=${boundary}`, parts, sizeBytes }
    },
  }
}
