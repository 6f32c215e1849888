/** A multipart request body, in parts to be sent in order. */
export type UploadBody = { contentType: string; parts: readonly Buffer[]; sizeBytes: number }

const boundary = 'proofroom-bench-7d1c5e0a9b3f4286'
const closing = Buffer.from(`\r\n--${boundary}--\r\n`)
const startOfImage = 2

/**
 * Each body has a different comment segment (FF FE), so that no two files are equal but all decode to the same pixels.
 */
export function readPicture(jpeg: Buffer): { createBody: (index: number) => UploadBody } {
  const start = jpeg.subarray(0, startOfImage)
  const rest = jpeg.subarray(startOfImage)
  const run = `${Date.now()}-${process.pid}`
  return {
    createBody(index) {
      const text = Buffer.from(`${run}-${index}`)
      const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, text.length + 2]), text])
      const disposition = `Content-Disposition: form-data; name="photo"; filename="bench-${index}.jpg"`
      const partHead = Buffer.from(`--${boundary}\r\n${disposition}\r\nContent-Type: image/jpeg\r\n\r\n`)
      const parts = [Buffer.concat([partHead, start, comment]), rest, closing]
      const sizeBytes = parts.reduce((sum, part) => sum + part.length, 0)
      return { contentType: `multipart/form-data; boundary=${boundary}`, parts, sizeBytes }
    },
  }
}
