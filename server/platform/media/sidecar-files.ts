import { readFile, stat, writeFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { mergeXmp } from '../xmp/merge-xmp.ts'
import { readXmpMarks } from '../xmp/read-xmp.ts'
import { RejectedXmp } from '../xmp/rejected-xmp.ts'
import { maxXmpBytes } from '../xmp/xmp-encoding.ts'
import type { MergeSidecarTask, ReadSidecarTask, TaskFacts } from './image-tasks.ts'

export async function readSidecar({ sourcePath }: ReadSidecarTask): Promise<TaskFacts<ReadSidecarTask>> {
  const bytes = await readBounded(sourcePath)
  return { marks: bytes && readXmpMarks(bytes) }
}

export async function mergeSidecar({ sourcePath, change }: MergeSidecarTask): Promise<TaskFacts<MergeSidecarTask>> {
  const bytes = await readBounded(sourcePath)
  if (!bytes) return { rejection: 'size' }
  try {
    const merged = mergeXmp(bytes, change)
    await writeFile(sourcePath, merged)
    return { merged: { sizeBytes: merged.length, crc32: crc32(merged) } }
  } catch (error) {
    if (error instanceof RejectedXmp) return { rejection: error.rejection }
    throw error
  }
}

/** Returns null for a file that is too large. */
async function readBounded(path: string): Promise<Buffer | null> {
  const { size } = await stat(path)
  return size > maxXmpBytes ? null : readFile(path)
}
