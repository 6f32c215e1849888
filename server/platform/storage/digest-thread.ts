// The program of the digest thread. It replies when `pieces` are hashed, and to `finish` with the digest.
import { type MessagePort, parentPort } from 'node:worker_threads'
import { type BlockDigest, createBlockDigest } from './content-digest.ts'

/** The thread owns the pieces. */
export type DigestRequest =
  | { id: number; kind: 'pieces'; pieces: Uint8Array[] }
  | { id: number; kind: 'finish' }
  | { id: number; kind: 'abandon' }
export type DigestReply = { id: number; digest?: BlockDigest }

if (parentPort) serve(parentPort)

function serve(port: MessagePort): void {
  const blocks = new Map<number, ReturnType<typeof createBlockDigest>>()

  port.on('message', (request: DigestRequest) => {
    const { id } = request
    const block = blocks.get(id) ?? createBlockDigest()
    if (request.kind === 'pieces') {
      blocks.set(id, block)
      for (const piece of request.pieces) {
        block.update(piece)
        freeMemory(piece)
      }
      return port.postMessage({ id } satisfies DigestReply)
    }
    blocks.delete(id)
    if (request.kind === 'finish') port.postMessage({ id, digest: block.finish() } satisfies DigestReply)
  })
}

/** The garbage collector would free pieces only after 64 MB. */
function freeMemory({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
