import type { Generator } from './load-generator.ts'
import type { UploadJob } from './load-jobs.ts'
import { readTree, waitUntilQuiet, watchMemory } from './process-tree.ts'
import type { Server } from './server-process.ts'

/** `thumbnailBytes` is the size of one thumbnail on disk. */
export type UploadTarget = { server: Server; path: string; token: string; thumbnailBytes: number }

/** CPU and bytes belong to the whole process tree, including its work after the last response. */
export type UploadRun = {
  photosPerSecond: number
  cpuSecondsPerPhoto: number
  /** Bytes written to disk per byte received, without thumbnails. */
  writtenPerSent: number
  peakResidentMb: number
}

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
