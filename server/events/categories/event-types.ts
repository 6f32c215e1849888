import type { EventTypeRecord } from '../../../contract/events.ts'
import { type ThemePreset, themePresets } from '../../../contract/themes.ts'
import type { Database } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'

export type EventTypeTable = {
  slug_prefix: string
  name: string
  emoji: string
  theme_preset: ThemePreset
  sort_order: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    event_types: EventTypeTable
  }
}

export const eventTypeRecord = (row: EventTypeTable): EventTypeRecord => ({
  slug_prefix: row.slug_prefix,
  name: row.name,
  emoji: row.emoji,
  theme_preset: row.theme_preset,
  header_style: themePresets[row.theme_preset].header_style,
})

const findEventType = (db: Database, slugPrefix: string): Promise<EventTypeTable | undefined> =>
  db.selectFrom('event_types').selectAll().where('slug_prefix', '=', slugPrefix).executeTakeFirst()

/** Throws VALIDATION_ERROR with a list of the valid types. */
export async function getEventType(ctx: PlatformContext, slugPrefix: string): Promise<EventTypeTable> {
  const type = await findEventType(ctx.db, slugPrefix)
  if (type) return type
  const known = (await listEventTypes(ctx)).map(({ slug_prefix }) => slug_prefix)
  throw invalidField('event_type', `must be one of ${known.join(', ')}`)
}

export const listEventTypes = ({ db }: PlatformContext): Promise<EventTypeTable[]> =>
  db.selectFrom('event_types').selectAll().orderBy('sort_order').orderBy('slug_prefix').execute()

type NewEventType = { slug_prefix: string; name: string; emoji?: string; theme_preset?: ThemePreset }

/** Throws EVENT_TYPE_IN_USE if the prefix is taken. */
export async function createEventType(
  { db }: PlatformContext,
  { slug_prefix, name, emoji = '', theme_preset = 'classic' }: NewEventType,
): Promise<EventTypeTable> {
  const row = await db
    .insertInto('event_types')
    .values({ slug_prefix, name, emoji, theme_preset, sort_order: 1000 })
    .onConflict((conflict) => conflict.column('slug_prefix').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new AppError('EVENT_TYPE_IN_USE')
  return row
}

export async function changeEventType({ db }: PlatformContext, slugPrefix: string, changes: Partial<NewEventType>) {
  if (Object.keys(changes).length > 0) {
    await db.updateTable('event_types').set(changes).where('slug_prefix', '=', slugPrefix).execute()
  }
  const row = await findEventType(db, slugPrefix)
  if (!row) throw new AppError('NOT_FOUND')
  return row
}

/** Throws NOT_FOUND, or EVENT_TYPE_IN_USE if events have this type. */
export async function deleteEventType({ db }: PlatformContext, slugPrefix: string): Promise<void> {
  await inTransaction(db, 'everything', async (tx) => {
    const inUse = await tx.selectFrom('events').select('id').where('event_type', '=', slugPrefix).limit(1).execute()
    if (inUse.length > 0) throw new AppError('EVENT_TYPE_IN_USE')
    const deleted = await tx
      .deleteFrom('event_types')
      .where('slug_prefix', '=', slugPrefix)
      .returning('slug_prefix')
      .execute()
    if (deleted.length === 0) throw new AppError('NOT_FOUND')
  })
}
