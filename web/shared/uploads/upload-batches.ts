import { maxBatchIndex } from '../../../contract/chunk-bytes.ts'
import { createRandomId } from '../create-random-id.ts'

/** The place of a file among the files that were chosen together. Their photos keep this order. */
export type UploadBatch = { id: string; index: number }

const naturalOrder = new Intl.Collator(undefined, { numeric: true })

/** Folders and file dialogs do not list files in a defined order. */
export const sortNaturally = <T>(files: readonly T[], getPath: (file: T) => string): T[] =>
  [...files].sort((a, b) => naturalOrder.compare(getPath(a), getPath(b)))

/** Returns the places of a new batch. The photos of a batch that is too long end in the order of their arrival. */
export function createBatch(): (index: number) => UploadBatch {
  const id = createRandomId()
  return (index) => ({ id, index: Math.min(index, maxBatchIndex) })
}
