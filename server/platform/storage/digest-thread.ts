// The program of the digest thread. It replies when `pieces` are hashed and written, and to `finish` with the digest.
import { writevSync } from 'node:fs'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { type BlockDigest, ContentDigest, createBlockDigest, type FileDigest } from './content-digest.ts'

/** The thread owns the pieces. With `file`, it writes them from `position` on. */
export type DigestRequest =
  | { id: number; kind: 'pieces'; pieces: Uint8Array[]; file?: { fd: number; position: number } }
  | { id: number; kind: 'finish' }
  | { id: number; kind: 'abandon' }
/** `isFull`: the disk took only some of the bytes. */
export type DigestReply = {
  id: number
  digest?: BlockDigest
  fileDigest?: FileDigest
  isFull?: boolean
  error?: { message: string; code: string | undefined }
}

if (parentPort) serve(parentPort)

function serve(port: MessagePort): void {
  const blocks = new Map<number, ReturnType<typeof createBlockDigest>>()
  const files = new Map<number, ContentDigest>()

  function finish(id: number): DigestReply {
    const file = files.get(id)
    return file ? { id, fileDigest: file.finish() } : { id, digest: (blocks.get(id) ?? createBlockDigest()).finish() }
  }

  port.on('message', (request: DigestRequest) => {
    const { id } = request
    if (request.kind !== 'pieces') {
      if (request.kind === 'finish') port.postMessage(finish(id))
      blocks.delete(id)
      files.delete(id)
    } else if (request.file) {
      const digest = files.get(id) ?? new ContentDigest()
      files.set(id, digest)
      port.postMessage({ id, ...writePieces(request.pieces, request.file, digest) } satisfies DigestReply)
    } else {
      const block = blocks.get(id) ?? createBlockDigest()
      blocks.set(id, block)
      for (const piece of request.pieces) {
        block.update(piece)
        freeMemory(piece)
      }
      port.postMessage({ id } satisfies DigestReply)
    }
  })
}

/**
 * Writes all pieces by one call while they are in the cache of the processor: a call for each piece takes more processor
 * time, and on a slow disk the files of other uploads would wait for each call.
 */
function writePieces(
  pieces: readonly Uint8Array[],
  { fd, position }: { fd: number; position: number },
  digest: ContentDigest,
): Pick<DigestReply, 'isFull' | 'error'> {
  try {
    for (const piece of pieces) digest.update(piece)
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    if (writevSync(fd, pieces, position) < length) return { isFull: true }
    pieces.forEach(freeMemory)
    return {}
  } catch (cause) {
    const { message, code } = cause as NodeJS.ErrnoException
    return { error: { message, code } }
  }
}

/** The garbage collector would free pieces only after 64 MB. */
function freeMemory({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
