import { readFile, stat, writeFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { mergeXmp, type XmpChange } from '../xmp/merge-xmp.ts'
import { readXmpMarks, type XmpMarks } from '../xmp/read-xmp.ts'
import { RejectedXmp } from '../xmp/rejected-xmp.ts'
import { maxXmpBytes } from '../xmp/xmp-encoding.ts'
import type { MergeSidecarTask, ReadSidecarTask, TaskFacts } from './image-tasks.ts'

export async function readSidecar({ sourcePath }: ReadSidecarTask): Promise<TaskFacts<ReadSidecarTask>> {
  const bytes = await readBounded(sourcePath)
  return { marks: bytes && readXmpMarks(bytes) }
}

export async function mergeSidecar(task: MergeSidecarTask): Promise<TaskFacts<MergeSidecarTask>> {
  const { sourcePath } = task
  const bytes = await readBounded(sourcePath)
  if (!bytes) return { rejection: 'size' }
  try {
    const merged = mergeXmp(bytes, omitKept(task, readXmpMarks(bytes)))
    await writeFile(sourcePath, merged)
    return { merged: { sizeBytes: merged.length, crc32: crc32(merged) } }
  } catch (error) {
    if (error instanceof RejectedXmp) return { rejection: error.rejection }
    throw error
  }
}

function omitKept({ change, onlyMissing }: MergeSidecarTask, marks: XmpMarks | null): XmpChange {
  const { rating, label, ...others } = change
  const keepsRating = onlyMissing.rating && Boolean(marks?.rating)
  const keepsLabel = onlyMissing.label && Boolean(marks?.label || marks?.labelColor)
  return {
    ...others,
    ...(rating !== undefined && !keepsRating && { rating }),
    ...(label !== undefined && !keepsLabel && { label }),
  }
}

/** Returns null for a file that is too large. */
async function readBounded(path: string): Promise<Buffer | null> {
  const { size } = await stat(path)
  return size > maxXmpBytes ? null : readFile(path)
}
