import type { PlatformContext } from './platform-context.ts'

export type SealedValue = { id: number; sealed: string }

/** A column of encrypted values, each of a row that a number names. */
export type SealedColumn = {
  /** What the values are to the operator, such as `webhook secrets`. */
  name: string
  purposeOf: (id: number) => string
  /** The next `limit` rows behind an id, in the order of ids. */
  read: (afterId: number, limit: number) => Promise<SealedValue[]>
  /** Writes the new value where the row still holds the one that was read. */
  replace: (read: SealedValue, resealed: string) => Promise<{ numUpdatedRows: bigint }>
}

/** `unreadableIds`: of the rows whose value opens with no key that is known here; they are left as they are. */
export type Resealed = { name: string; count: number; unreadableIds: number[] }

const rowsAtOnce = 100

/** Encrypts every value with the present key that lies under an older one, row by row, beside a running service. */
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

/** How many of the first `most` values open with no key that is known here. */
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
