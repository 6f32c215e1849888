import { chunkBytes } from './chunked-file.ts'
import { sendJson } from './gallery.ts'
import type { Generator } from './load-generator.ts'
import { readTree, waitUntilQuiet, watchMemory } from './process-tree.ts'
import type { Server } from './server-process.ts'

/** `headFile` is a picture; noise follows it up to `fileBytes`. `connections`: chunks that are sent at a time. */
export type LargeFile = { headFile: string; fileBytes: number; connections: number }

/** `token` is the session of the uploading operator. `restingBytes` is the memory of the service after its start. */
export type ChunkedTarget = { server: Server; eventId: number; token: string; restingBytes: number }

/**
 * The measurements of one file that is sent in chunks. `writtenPerSent` (bytes written to disk for each byte sent) and
 * `growthMb` include all processes of the server.
 */
export type ChunkedRun = {
  bytesPerSecond: number
  writtenPerSent: number
  /** Peak of the resident memory in MB, minus `restingBytes` if it is given, or minus the memory before the run. */
  growthMb: number
}

/** `completeMs` is the duration of the whole `complete` request. */
export type CompletedRun = ChunkedRun & { completeMs: number }

export async function sendToLimit(sender: Generator, server: Server, file: LargeFile): Promise<ChunkedRun> {
  const run = await measureRun(server, file, () => sendChunks(sender, server, '/', 'none', file))
  await sendJson(server.port, 'DELETE', '/', {})
  return run
}

export async function sendToService(sender: Generator, target: ChunkedTarget, file: LargeFile): Promise<ChunkedRun> {
  const session = await openSession(target, file)
  const send = () => sendChunks(sender, target.server, `${session}/chunk/`, target.token, file)
  const run = await measureRun(target.server, file, send, target.restingBytes)
  await sendJson(target.server.port, 'DELETE', session, {}, target.token)
  return run
}

export async function completeAtService(
  sender: Generator,
  target: ChunkedTarget,
  file: LargeFile,
): Promise<CompletedRun> {
  const { server, token } = target
  let completeMs = 0
  const run = await measureRun(server, file, async () => {
    const session = await openSession(target, file)
    const seconds = await sendChunks(sender, server, `${session}/chunk/`, token, file)
    await waitUntilQuiet(server.pid)
    const begin = performance.now()
    await sendJson(server.port, 'POST', `${session}/complete`, { category_id: null }, token)
    completeMs = performance.now() - begin
    return seconds
  })
  return { ...run, completeMs }
}

async function openSession(target: ChunkedTarget, { fileBytes }: LargeFile): Promise<string> {
  const path = `/api/admin/photos/${target.eventId}/chunked-upload`
  const file = { filename: 'large.jpg', fileSize: fileBytes, totalChunks: Math.ceil(fileBytes / chunkBytes) }
  const { uploadId } = await sendJson(target.server.port, 'POST', `${path}/init`, file, target.token)
  return `${path}/${uploadId}`
}

/** Resolves with the seconds from the first byte to the last response. */
async function sendChunks(
  sender: Generator,
  { port }: Server,
  path: string,
  token: string,
  file: LargeFile,
): Promise<number> {
  const { seconds } = await sender.run({ kind: 'chunks', port, path, token, ...file })
  return seconds
}

/** The written bytes and the memory include the work of the server after the last response. */
async function measureRun(
  server: Server,
  { fileBytes }: LargeFile,
  send: () => Promise<number>,
  restingBytes?: number,
): Promise<ChunkedRun> {
  await waitUntilQuiet(server.pid)
  const before = readTree(server.pid)
  const peak = watchMemory(server.pid)
  const seconds = await send()
  await waitUntilQuiet(server.pid)
  const peakBytes = peak()
  const after = readTree(server.pid)
  return {
    bytesPerSecond: fileBytes / seconds,
    writtenPerSent: (after.writtenBytes - before.writtenBytes) / fileBytes,
    growthMb: (peakBytes - (restingBytes ?? before.residentBytes)) / 1e6,
  }
}
