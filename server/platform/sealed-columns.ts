import type { PlatformContext } from './platform-context.ts'

export type SealedValue = { id: number; sealed: string }

export type SealedColumn = {
  /** What the operator calls the values, such as `webhook secrets`. */
  name: string
  purposeOf: (id: number) => string
  read: (afterId: number, limit: number) => Promise<SealedValue[]>
  /** Updates the row only if it still has the value that was read. */
  replace: (read: SealedValue, resealed: string) => Promise<{ numUpdatedRows: bigint }>
}

/** `unreadableIds` are the rows that no known key decrypts. They are not changed. */
export type Resealed = { name: string; count: number; unreadableIds: number[] }

const rowsAtOnce = 100

/** Encrypts all values of older keys with the current key, row by row, while the service runs. */
export async function resealColumn({ encryption }: PlatformContext, column: SealedColumn): Promise<Resealed> {
  const { name, purposeOf, read, replace } = column
  const unreadableIds: number[] = []
  let count = 0

  function resealedOf({ id, sealed }: SealedValue): string | null {
    try {
      return encryption.reseal(sealed, purposeOf(id))
    } catch {
      unreadableIds.push(id)
      return null
    }
  }

  for (let last = 0; ; ) {
    const rows = await read(last, rowsAtOnce)
    if (rows.length === 0) return { name, count, unreadableIds }
    for (const row of rows) {
      const resealed = resealedOf(row)
      if (resealed !== null) count += Number((await replace(row, resealed)).numUpdatedRows)
      last = row.id
    }
  }
}

export async function countUnreadable(
  { encryption }: PlatformContext,
  column: SealedColumn,
  most: number,
): Promise<number> {
  const opens = ({ id, sealed }: SealedValue): boolean => {
    try {
      encryption.open(sealed, column.purposeOf(id))
      return true
    } catch {
      return false
    }
  }
  return (await column.read(0, most)).filter((value) => !opens(value)).length
}
