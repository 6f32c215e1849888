import type { FileHandle } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { must } from '../../../contract/must.ts'
import { childEnvironment } from '../process/child-environment.ts'
import type { BlockDigest, FileDigest } from './content-digest.ts'
import type { DigestReply, DigestRequest } from './digest-thread.ts'
import { StorageFull } from './storage.ts'

const idleAfterMs = 20_000

export type BlockHasher = {
  /** Takes ownership of the pieces. Resolves when the pieces of the previous call are hashed, which limits memory. */
  update: (pieces: readonly Buffer[]) => Promise<void>
  finish: () => Promise<BlockDigest>
  abandon: () => void
}

export type FileHasher = {
  /**
   * Takes ownership of the pieces, hashes them and writes them at `position`. Only one call may run at a time. Nothing
   * is written after it resolves or rejects. Throws StorageFull and the errors of the file system.
   */
  write: (pieces: readonly Buffer[], position: number) => Promise<void>
  finish: () => Promise<FileDigest>
  abandon: () => void
}

/** The thread starts with the first block or file and ends after 20 seconds without one. */
export function createDigestThread() {
  const waiting = new Map<number, (reply: DigestReply) => void>()
  let thread: Worker | null = null
  let idleTimer: NodeJS.Timeout | undefined
  let lastId = 0
  let openCount = 0

  async function close(): Promise<void> {
    clearTimeout(idleTimer)
    const ending = thread
    thread = null
    await ending?.terminate()
  }

  function open() {
    const id = ++lastId
    openCount++
    clearTimeout(idleTimer)
    thread ??= startThread((reply) => waiting.get(reply.id)?.(reply))
    const worker = thread
    // A command waits for its files; an idle thread does not keep its process alive.
    worker.ref()
    return {
      id,
      ask(request: DigestRequest, owned: ArrayBuffer[] = []): Promise<DigestReply> {
        worker.postMessage(request, owned)
        return new Promise((resolve) => waiting.set(id, resolve))
      },
      abandon(): void {
        worker.postMessage({ id, kind: 'abandon' } satisfies DigestRequest)
        this.end()
      },
      end(): void {
        waiting.delete(id)
        if (--openCount > 0) return
        worker.unref()
        idleTimer = setTimeout(() => void close(), idleAfterMs).unref()
      },
    }
  }

  function beginBlock(): BlockHasher {
    const opened = open()
    const { id, ask } = opened
    let before: Promise<unknown> = Promise.resolve()

    return {
      async update(pieces) {
        await before
        const own = pieces.map(copyUnlessOwned)
        before = ask({ id, kind: 'pieces', pieces: own }, own.map(bufferOf))
      },
      async finish() {
        await before
        const { digest } = await ask({ id, kind: 'finish' })
        opened.end()
        return must(digest, 'the digest of a block')
      },
      abandon: () => opened.abandon(),
    }
  }

  /** The file must stay open until the last call of `write` has ended. */
  function beginFile({ fd }: FileHandle): FileHasher {
    const opened = open()
    const { id, ask } = opened

    return {
      async write(pieces, position) {
        const own = pieces.map(copyUnlessOwned)
        const reply = await ask({ id, kind: 'pieces', pieces: own, file: { fd, position } }, own.map(bufferOf))
        if (reply.isFull) throw new StorageFull()
        if (reply.error) throw Object.assign(new Error(reply.error.message), { code: reply.error.code })
      },
      async finish() {
        const { fileDigest } = await ask({ id, kind: 'finish' })
        opened.end()
        return must(fileDigest, 'the digest of a file')
      },
      abandon: () => opened.abandon(),
    }
  }

  return { beginBlock, beginFile, close }
}

/** The thread of this process. */
export const digestThread = createDigestThread()

function startThread(onReply: (reply: DigestReply) => void): Worker {
  const worker = new Worker(new URL('./digest-thread.ts', import.meta.url), {
    env: childEnvironment(),
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 64 },
  })
  worker.on('message', onReply)
  // No error is expected. Without the thread no block would ever be finished, so an error ends the process.
  worker.on('error', (error) => {
    throw error
  })
  return worker
}

const bufferOf = ({ buffer }: Uint8Array<ArrayBuffer>): ArrayBuffer => buffer

/** Small pieces are copied: the parser of forms goes on to use the buffer in which it keeps the start of a boundary. */
const minTransferredBytes = 4096

/** Transferring memory transfers a whole ArrayBuffer, so a view on a part is copied. */
function copyUnlessOwned(piece: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, length } = piece
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === length && length >= minTransferredBytes
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(piece)
}
