import { Worker } from 'node:worker_threads'
import type { BlockDigest } from './content-digest.ts'
import type { DigestReply, DigestRequest } from './digest-thread.ts'

const idleAfterMs = 20_000

export type BlockHasher = {
  /** Takes ownership of the pieces. Resolves when the pieces of the previous call are hashed, which limits memory. */
  update: (pieces: readonly Buffer[]) => Promise<void>
  finish: () => Promise<BlockDigest>
  abandon: () => void
}

/** The thread starts with the first block and ends after 20 seconds without a block. */
export function createBlockDigests() {
  const waiting = new Map<number, (reply: DigestReply) => void>()
  let thread: Worker | null = null
  let idleTimer: NodeJS.Timeout | undefined
  let lastId = 0
  let openBlocks = 0

  async function close(): Promise<void> {
    clearTimeout(idleTimer)
    const ending = thread
    thread = null
    await ending?.terminate()
  }

  function begin(): BlockHasher {
    const id = ++lastId
    openBlocks++
    clearTimeout(idleTimer)
    thread ??= startThread((reply) => waiting.get(reply.id)?.(reply))
    const worker = thread
    const ask = (request: DigestRequest, owned: ArrayBuffer[] = []): Promise<DigestReply> => {
      worker.postMessage(request, owned)
      return new Promise((resolve) => waiting.set(id, resolve))
    }
    let before: Promise<unknown> = Promise.resolve()

    function end(): void {
      waiting.delete(id)
      if (--openBlocks === 0) idleTimer = setTimeout(() => void close(), idleAfterMs).unref()
    }

    return {
      async update(pieces) {
        await before
        const own = pieces.map(copyUnlessOwned)
        before = ask(
          { id, kind: 'pieces', pieces: own },
          own.map(({ buffer }) => buffer),
        )
      },
      async finish() {
        await before
        const { digest } = await ask({ id, kind: 'finish' })
        end()
        if (!digest) throw new Error('The digest thread responded out of order')
        return digest
      },
      abandon() {
        worker.postMessage({ id, kind: 'abandon' } satisfies DigestRequest)
        end()
      },
    }
  }

  return { begin, close }
}

function startThread(onReply: (reply: DigestReply) => void): Worker {
  const worker = new Worker(new URL('./digest-thread.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 64 },
  })
  worker.on('message', onReply)
  // No error is expected. Without the thread no block would ever be finished, so an error ends the process.
  worker.on('error', (error) => {
    throw error
  })
  worker.unref()
  return worker
}

/** Transferring memory transfers a whole ArrayBuffer, so a view on a part is copied. */
function copyUnlessOwned(piece: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, length } = piece
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === length
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(piece)
}
