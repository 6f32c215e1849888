import { GivenUp, NoAnswer } from './persist.ts'

/** A file that was moved, changed or put away since it was chosen looks to a request as a lost line does. Throws GivenUp. */
export async function assertReadable(file: File, error: unknown): Promise<void> {
  if (!(error instanceof NoAnswer)) return
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new GivenUp({ kind: 'refused', reason: 'unreadable' })
    })
}
