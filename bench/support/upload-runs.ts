import type { Generator } from './load-generator.ts'
import type { UploadJob } from './load-jobs.ts'
import { readTree, waitUntilQuiet, watchMemory } from './process-tree.ts'
import type { Server } from './server-process.ts'

/** A server that takes uploads: where, with which token, and the bytes on disk that the thumbnail of one photo takes. */
export type UploadTarget = { server: Server; path: string; token: string; thumbnailBytes: number }

/** One run of uploads. CPU and bytes are of the whole process tree, with what it does after the last answer. */
export type UploadRun = {
  photosPerSecond: number
  cpuSecondsPerPhoto: number
  /** Bytes written to disk per byte received, thumbnails left out. */
  writtenPerSent: number
  peakResidentMb: number
}

/** Sends `count` uploads, `connections` at a time, and reads what they cost the server. */
export async function uploadOnce(
  uploader: Generator,
  target: UploadTarget,
  uploads: Required<Pick<UploadJob, 'files' | 'connections' | 'count'>>,
): Promise<UploadRun> {
  const { server, path, token } = target
  const before = readTree(server.pid)
  const peak = watchMemory(server.pid)
  const { answers, seconds, bytesSent } = await uploader.run({
    kind: 'upload',
    port: server.port,
    path,
    token,
    ...uploads,
  })
  await waitUntilQuiet(server.pid)
  const peakResidentMb = peak() / 1e6
  const after = readTree(server.pid)
  const writtenBytes = after.writtenBytes - before.writtenBytes - answers * target.thumbnailBytes
  return {
    photosPerSecond: answers / seconds,
    cpuSecondsPerPhoto: (after.cpuSeconds - before.cpuSeconds) / answers,
    writtenPerSent: writtenBytes / bytesSent,
    peakResidentMb,
  }
}
