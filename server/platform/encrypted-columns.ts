import type { PlatformContext } from './platform-context.ts'

export type EncryptedValue = { id: number; encrypted: string }

export type EncryptedColumn = {
  /** The name of the values for operators, such as `webhook secrets`. */
  name: string
  getPurpose: (id: number) => string
  read: (afterId: number, limit: number) => Promise<EncryptedValue[]>
  /** Updates the row only if it still has the value that was read. */
  replace: (read: EncryptedValue, reencrypted: string) => Promise<{ numUpdatedRows: bigint }>
}

/** `unreadableIds` are the rows that no known key decrypts. They are not changed. */
export type ReencryptedColumn = { name: string; count: number; unreadableIds: number[] }

const rowsAtOnce = 100

/** Encrypts all values of older keys with the current key, row by row. The service may be running. */
export async function reencryptColumn(
  { encryption }: PlatformContext,
  column: EncryptedColumn,
): Promise<ReencryptedColumn> {
  const { name, getPurpose, read, replace } = column
  const unreadableIds: number[] = []
  let count = 0

  function reencryptValue({ id, encrypted }: EncryptedValue): string | null {
    try {
      return encryption.reencrypt(encrypted, getPurpose(id))
    } catch {
      unreadableIds.push(id)
      return null
    }
  }

  for (let last = 0; ; ) {
    const rows = await read(last, rowsAtOnce)
    if (rows.length === 0) return { name, count, unreadableIds }
    for (const row of rows) {
      const reencrypted = reencryptValue(row)
      if (reencrypted !== null) count += Number((await replace(row, reencrypted)).numUpdatedRows)
      last = row.id
    }
  }
}

export async function countUnreadable(
  { encryption }: PlatformContext,
  column: EncryptedColumn,
  max: number,
): Promise<number> {
  const canDecrypt = ({ id, encrypted }: EncryptedValue): boolean => {
    try {
      encryption.decrypt(encrypted, column.getPurpose(id))
      return true
    } catch {
      return false
    }
  }
  return (await column.read(0, max)).filter((value) => !canDecrypt(value)).length
}
