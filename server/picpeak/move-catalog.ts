import { Value } from 'typebox/value'
import { type SettingKey, type SettingValues, settingShapes } from '../../contract/settings.ts'
import { insertMovedCategory, insertMovedEventType, removeFirstCategories } from '../events/moved-events.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { t } from '../platform/text/command-messages.ts'
import { createSlug } from '../platform/text/slugs.ts'
import type { Move } from './move-context.ts'
import { readAll } from './picpeak-source.ts'
import { readPreset } from './read-event.ts'
import { type SourceRow, toFlag, toJson, toLine, toTime, toWhole } from './source/source-values.ts'

/** Moves event types, global categories and the settings that exist here too. */
export async function moveCatalog(move: Move): Promise<void> {
  await moveEventTypes(move)
  await moveGlobalCategories(move)
  if (move.keepsIds) await moveSettings(move)
}

async function moveEventTypes({ ctx, source, moved, add }: Move): Promise<void> {
  if (!source.database.tables.has('event_types')) return
  for (const row of await readAll(source.database.read('event_types'))) {
    const prefix = toLine(row.slug_prefix)
    if (prefix === null || prefix.length > 50) {
      add('event_types', row.id, t('typeWithoutPrefix'))
      continue
    }
    const type = {
      slug_prefix: prefix,
      name: toLine(row.name) ?? prefix,
      emoji: toLine(row.emoji) ?? '',
      theme_preset: readPreset(toLine(row.theme_preset)),
      sort_order: toWhole(row.display_order) ?? 1000,
    }
    await inTransaction(ctx.db, 'everything', (tx) => insertMovedEventType(tx, type))
    await moved.record(ctx.db, 'event type', [[prefix, prefix]])
  }
}

export const categoryColumns = (row: SourceRow, eventId: number | null, now: number) => {
  const name = (toLine(row.name) ?? 'Category').slice(0, 100)
  return {
    event_id: eventId,
    name,
    slug: createSlug(name) || 'category',
    allow_downloads: 1,
    sort_order: 0,
    created_at: toTime(row.created_at) ?? now,
  } as const
}

export const isGlobal = (row: SourceRow): boolean => toFlag(row.is_global) === 1 || toWhole(row.event_id) === null

async function moveGlobalCategories({ ctx, source, moved, keepsIds, keepsId }: Move): Promise<void> {
  const known = await moved.list('category')
  const all = await readAll(source.database.read('photo_categories'))
  const rows = all.filter((row) => isGlobal(row) && toWhole(row.id) !== null && !known.has(String(toWhole(row.id))))
  const now = ctx.clock.now()
  await inTransaction(ctx.db, 'everything', async (tx) => {
    if (keepsIds && known.size === 0) await removeFirstCategories(tx)
    const here = await tx.selectFrom('categories').select(['id', 'slug']).where('event_id', 'is', null).execute()
    for (const row of rows) {
      const id = Number(toWhole(row.id))
      const columns = categoryColumns(row, null, now)
      const same = here.find(({ slug }) => slug === columns.slug)
      const target = same?.id ?? (await insertMovedCategory(tx, columns, keepsId('categories', id) ? id : null))
      await moved.record(tx, 'category', [[id, target]])
    }
  })
}

/** Settings with other names in PicPeak. */
const renamedSettings: Readonly<Record<string, SettingKey>> = { default_language: 'general_default_language' }

/** Most settings have the same names and meanings in both products. Values that are not valid here are left out. */
async function moveSettings({ ctx, source }: Move): Promise<void> {
  if (!source.database.tables.has('app_settings')) return
  const values: Partial<Record<SettingKey, unknown>> = {}
  for (const row of await readAll(source.database.read('app_settings'))) {
    const name = toLine(row.setting_key) ?? ''
    const key = renamedSettings[name] ?? name
    if (!Object.hasOwn(settingShapes, key)) continue
    const value = toJson(row.setting_value)
    if (Value.Check(settingShapes[key as SettingKey], value)) values[key as SettingKey] = value
  }
  await ctx.settings.change(values as Partial<SettingValues>)
}
