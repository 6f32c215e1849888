import { sql } from 'kysely'
import type { Database, Tables } from '../database/tables.ts'
import type { PlatformContext } from '../platform-context.ts'

export type EncryptedValue = { id: number; encrypted: string }

export type EncryptedColumn = {
  /** The name of the values for operators, such as `webhook secrets`. */
  name: string
  getPurpose: (id: number) => string
  read: (afterId: number, limit: number) => Promise<EncryptedValue[]>
  /** Updates the row only if it still has the value that was read. Returns whether it had. */
  replace: (read: EncryptedValue, reencrypted: string) => Promise<boolean>
}

type ColumnPlace = { table: keyof Tables & string; idColumn: string; column: string }

/** Null values are left out. */
export const encryptedColumn = (
  db: Database,
  { name, getPurpose }: Pick<EncryptedColumn, 'name' | 'getPurpose'>,
  { table, idColumn, column }: ColumnPlace,
): EncryptedColumn => {
  const [from, id, value] = [sql.table(table), sql.ref(idColumn), sql.ref(column)]
  return {
    name,
    getPurpose,
    async read(afterId, limit) {
      const query = sql<EncryptedValue>`
        select ${id} as id, ${value} as encrypted from ${from}
        where ${id} > ${afterId} and ${value} is not null order by ${id} limit ${limit}`
      return (await query.execute(db)).rows
    },
    async replace(read, reencrypted) {
      const query = sql`
        update ${from} set ${value} = ${reencrypted} where ${id} = ${read.id} and ${value} = ${read.encrypted}`
      return (await query.execute(db)).numAffectedRows === 1n
    },
  }
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
      if (reencrypted !== null && (await replace(row, reencrypted))) count++
      last = row.id
    }
  }
}

/** Returns whether a value was encrypted with the key of this id. */
export async function usesKey({ read }: EncryptedColumn, keyId: string): Promise<boolean> {
  for (let last = 0; ; ) {
    const rows = await read(last, rowsAtOnce)
    if (rows.some(({ encrypted }) => encrypted.startsWith(`${keyId}.`))) return true
    if (rows.length === 0) return false
    last = rows.at(-1)?.id ?? last
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
