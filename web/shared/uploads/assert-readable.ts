import { NoResponse, UploadFailed } from './retry.ts'

/**
 * Throws UploadFailed if the file was moved or changed. Checks only after NoResponse, because sending such a file fails
 * in the same way as a lost connection.
 */
export async function assertReadable(file: File, error: unknown): Promise<void> {
  if (!(error instanceof NoResponse)) return
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new UploadFailed({ kind: 'rejected', reason: 'unreadable' })
    })
}
