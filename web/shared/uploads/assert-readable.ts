import { NoResponse, UploadFailed } from './retry.ts'

/** A request for a file that was moved or changed fails like a lost connection. Throws UploadFailed. */
export async function assertReadable(file: File, error: unknown): Promise<void> {
  if (!(error instanceof NoResponse)) return
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new UploadFailed({ kind: 'rejected', reason: 'unreadable' })
    })
}
