import { chunkBytes } from '../../../contract/chunked-uploads.ts'
import type { TestClient, TestResponse } from '../clients/test-client.ts'
import { jpeg } from '../media/pictures.ts'

/** Returns a JPEG of this size in which no two chunks are equal. Decoders ignore the bytes after its end marker. */
export async function largeJpeg(sizeBytes: number, seed = 1): Promise<Buffer<ArrayBuffer>> {
  const start = await jpeg({ seed })
  const words = new Uint32Array(Math.ceil(sizeBytes / 4))
  for (let at = 0, state = seed; at < words.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    words[at] = state
  }
  const file = Buffer.from(words.buffer).subarray(0, sizeBytes)
  start.copy(file)
  return file
}

export const splitIntoChunks = (file: Buffer<ArrayBuffer>): Buffer<ArrayBuffer>[] =>
  Array.from({ length: Math.ceil(file.length / chunkBytes) }, (_, index) =>
    file.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  )

export const adminUploadsPath = (eventId: number): string => `/api/admin/photos/${eventId}/chunked-upload`

export function createUploadClient(client: TestClient, path: string) {
  return {
    path,
    chunk: (index: number | string, bytes: Uint8Array<ArrayBuffer>): Promise<TestResponse> =>
      client.call('POST', `${path}/chunk/${index}`, {
        headers: { 'content-type': 'application/octet-stream' },
        body: bytes,
      }),
    complete: (body: Record<string, unknown> = {}) => client.post(`${path}/complete`, body),
    status: () => client.get(`${path}/status`),
    abort: () => client.delete(path),
  }
}

export type TestUpload = ReturnType<typeof createUploadClient>

type Init = { filename?: string; fileSize: number } & Record<string, unknown>

/** Opens an upload session below `base`, the upload path of an operator or of a gallery. Throws if it fails. */
export async function initUpload(client: TestClient, base: string, init: Init): Promise<TestUpload> {
  const { status, body } = await client.post(`${base}/init`, { filename: 'large.jpg', ...init })
  if (status !== 200) throw new Error(`The session was not opened: ${JSON.stringify(body)}`)
  return createUploadClient(client, `${base}/${body.uploadId}`)
}

/** Sends all chunks of a file in a new session, without completing it. */
export async function sendAllChunks(
  client: TestClient,
  base: string,
  file: Buffer<ArrayBuffer>,
  init: Record<string, unknown> = {},
): Promise<TestUpload> {
  const upload = await initUpload(client, base, { fileSize: file.length, ...init })
  for (const [index, chunk] of splitIntoChunks(file).entries()) {
    const { status, body } = await upload.chunk(index, chunk)
    if (status !== 200) throw new Error(`The chunk was not taken: ${JSON.stringify(body)}`)
  }
  return upload
}
