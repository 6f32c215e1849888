import type { CompiledQuery } from 'kysely'
import type { Tx } from '../platform/database/tables.ts'
import type { MarkedPhoto } from './mark-rows.ts'

/**
 * Decides whether feedback of an event may change, in the transaction of the change. Everything that gives, changes or
 * merges feedback takes one. Its functions throw the error that the caller gets.
 */
export type MarkGuard<P extends MarkedPhoto = MarkedPhoto> = {
  /** The query whose row `assertPhoto` gets. */
  selectPhoto: (tx: Tx, photoId: number) => CompiledQuery<P>
  assertPhoto: (photo: P | undefined) => MarkedPhoto
  /** For changes that are not of one photo. */
  assertEvent: (tx: Tx) => Promise<unknown>
}

export async function getMarkedPhoto<P extends MarkedPhoto>(
  tx: Tx,
  guard: MarkGuard<P>,
  photoId: number,
): Promise<MarkedPhoto> {
  const { rows } = await tx.executeQuery(guard.selectPhoto(tx, photoId))
  return guard.assertPhoto(rows[0])
}
