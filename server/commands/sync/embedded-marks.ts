import { readXmpMarks } from '../../platform/xmp/read-xmp.ts'
import type { Marks } from './decide-marks.ts'
import { toFileMarks } from './file-marks.ts'
import type { Shot } from './shots.ts'

/** Returns the marks that the first picture of the shot has inside, or null. */
export async function readEmbeddedMarks({ pictures }: Shot): Promise<Marks | null> {
  const { default: sharp } = await import('sharp')
  for (const { absolutePath } of pictures) {
    const metadata = await sharp(absolutePath)
      .metadata()
      .catch(() => null)
    const marks = metadata?.xmp ? readXmpMarks(metadata.xmp) : null
    if (marks) return toFileMarks(marks)
  }
  return null
}
