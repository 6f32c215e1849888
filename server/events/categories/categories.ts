import type { Generated, Selectable } from 'kysely'
import type { CategoryRecord, ChangeCategoryBody, CreateCategoryBody } from '../../../contract/categories.ts'
import type { AccountCaller } from '../../access/callers.ts'
import { hasPermission } from '../../access/roles.ts'
import { runCompiled } from '../../platform/database/compile-once.ts'
import { shortRead } from '../../platform/database/short-read.ts'
import { type Database, type Flag, flag, type Tx } from '../../platform/database/tables.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AppError, invalidField } from '../../platform/errors/app-error.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { createSlug } from '../../platform/text/slugs.ts'
import { isoTime } from '../../platform/time/clock.ts'
import { getOwnedEvent } from '../event-ownership.ts'
import { assertNotArchived } from '../event-rules.ts'
import { visibleToGuests } from '../visible-photos.ts'

export type CategoryTable = {
  id: Generated<number>
  /** null for a global category, which belongs to all events. */
  event_id: number | null
  name: string
  slug: string
  allow_downloads: Flag
  sort_order: number
  created_at: number
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    categories: CategoryTable
  }
}

export type CategoryRow = Selectable<CategoryTable>
export type CountedCategory = CategoryRow & { photo_count: number }

export const categoryRecord = (row: CountedCategory): CategoryRecord => ({
  id: row.id,
  name: row.name,
  slug: row.slug,
  is_global: row.event_id === null,
  event_id: row.event_id,
  allow_downloads: row.allow_downloads === 1,
  sort_order: row.sort_order,
  photo_count: row.photo_count,
  created_at: isoTime(row.created_at),
})

export const findCategory = (db: Database, id: number): Promise<CategoryRow | undefined> =>
  db.selectFrom('categories').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns a category of the event or a global one; only a global one if `eventId` is null. Throws INVALID_CATEGORY. */
export async function getUsableCategory({ db }: PlatformContext, id: number, eventId: number | null) {
  const category = await findCategory(db, id)
  const isUsable = category && (category.event_id === null || category.event_id === eventId)
  if (!isUsable) throw new AppError('INVALID_CATEGORY')
  return category
}

/**
 * Returns the global categories, then those of the event. Photos are counted in this event, or in all events if
 * `eventId` is null.
 */
export function listCategories(
  { db }: PlatformContext,
  eventId: number | null,
  { onlyVisible = false }: { onlyVisible?: boolean } = {},
): Promise<CountedCategory[]> {
  const categories = selectCategories(db, eventId).select(({ selectFrom, fn }) =>
    selectFrom('photos')
      .select(fn.countAll<number>().as('count'))
      .whereRef('photos.category_id', '=', 'categories.id')
      .$if(eventId !== null, (photos) => photos.where('photos.event_id', '=', eventId as number))
      .$if(onlyVisible, (photos) => photos.where(visibleToGuests()))
      .as('photo_count'),
  )
  return categories.execute() as Promise<CountedCategory[]>
}

/** Like `listCategories`, with known counts by id, and without the categories that have no photos. */
export async function listFilledCategories(
  { db }: PlatformContext,
  eventId: number,
  counts: ReadonlyMap<number, number>,
): Promise<CountedCategory[]> {
  const categories = await runCompiled(db, 'categories', { eventId }, ({ eventId }) =>
    selectCategories(db, eventId).modifyEnd(shortRead),
  )
  return categories.flatMap((category) => {
    const photo_count = counts.get(category.id) ?? 0
    return photo_count === 0 ? [] : [{ ...category, photo_count }]
  })
}

const selectCategories = (db: Database, eventId: number | null) =>
  db
    .selectFrom('categories')
    .select(['id', 'event_id', 'name', 'slug', 'allow_downloads', 'sort_order', 'created_at'])
    .where((where) =>
      eventId === null
        ? where('event_id', 'is', null)
        : where.or([where('event_id', 'is', null), where('event_id', '=', eventId)]),
    )
    .orderBy((order) => order.case().when('event_id', 'is', null).then(0).else(1).end())
    .orderBy('sort_order')
    .orderBy('id')

/** `record` is called in the transaction. Throws VALIDATION_ERROR, NOT_FOUND, FORBIDDEN or EVENT_ARCHIVED. */
export async function createCategory(
  ctx: PlatformContext,
  caller: AccountCaller,
  body: { [K in keyof CreateCategoryBody]: CreateCategoryBody[K] | undefined } & Pick<CreateCategoryBody, 'name'>,
  record: (tx: Tx, id: number) => Promise<void> = async () => undefined,
): Promise<CountedCategory> {
  const isGlobal = body.is_global ?? false
  if (isGlobal === (typeof body.event_id === 'number')) {
    throw invalidField('event_id', 'Send an event_id for a category of an event, or is_global: true.')
  }
  const eventId = body.event_id ?? null
  await assertEditable(ctx, caller, eventId)
  const values = {
    event_id: eventId,
    name: body.name.trim(),
    slug: createSlug(body.name) || 'category',
    allow_downloads: flag(body.allow_downloads ?? true),
    sort_order: body.sort_order ?? 0,
    created_at: ctx.clock.now(),
  }
  const row = await inTransaction(ctx.db, 'everything', async (tx) => {
    const created = await tx.insertInto('categories').values(values).returningAll().executeTakeFirstOrThrow()
    await record(tx, created.id)
    return created
  })
  return { ...row, photo_count: 0 }
}

/** `eventId`: only a category of this event is found, no global one. */
export type CategoryToChange = { id: number; eventId?: number | undefined }

/** Returns a category of the event with its photos counted. Throws NOT_FOUND or FORBIDDEN. */
export async function getCategoryOf(
  ctx: PlatformContext,
  caller: AccountCaller,
  eventId: number,
  id: number,
): Promise<CountedCategory> {
  const event = await getOwnedEvent(ctx, caller, eventId)
  const category = (await listCategories(ctx, event.id)).find((one) => one.id === id && one.event_id === eventId)
  if (!category) throw new AppError('NOT_FOUND')
  return category
}

/** Throws NOT_FOUND, FORBIDDEN or EVENT_ARCHIVED. */
export async function changeCategory(
  ctx: PlatformContext,
  caller: AccountCaller,
  target: CategoryToChange,
  { name, allow_downloads, sort_order }: ChangeCategoryBody,
): Promise<CountedCategory> {
  const { id } = target
  const category = await getEditableCategory(ctx, caller, target)
  const values = {
    ...(name !== undefined && { name: name.trim(), slug: createSlug(name) || 'category' }),
    ...(allow_downloads !== undefined && { allow_downloads: flag(allow_downloads) }),
    ...(sort_order !== undefined && { sort_order }),
  }
  if (Object.keys(values).length > 0) {
    await ctx.db.updateTable('categories').set(values).where('id', '=', id).execute()
    // This can change which photos guests may download; a global category affects every event.
    ctx.changes.notify('photo', null)
  }
  const counted = await listCategories(ctx, category.event_id)
  return counted.find((one) => one.id === id) ?? { ...category, ...values, photo_count: 0 }
}

/**
 * The photos stay, without a category. Throws NOT_FOUND, FORBIDDEN, EVENT_ARCHIVED, or CATEGORY_IN_USE if guest uploads
 * of an event use it.
 */
export async function deleteCategory(
  ctx: PlatformContext,
  caller: AccountCaller,
  target: CategoryToChange,
): Promise<void> {
  const { id } = await getEditableCategory(ctx, caller, target)
  await inTransaction(ctx.db, 'everything', async (tx) => {
    const inUse = await tx.selectFrom('events').select('id').where('upload_category_id', '=', id).limit(1).execute()
    if (inUse.length > 0) throw new AppError('CATEGORY_IN_USE')
    await tx.deleteFrom('categories').where('id', '=', id).execute()
  })
  ctx.changes.notify('photo', null)
}

async function getEditableCategory(
  ctx: PlatformContext,
  caller: AccountCaller,
  { id, eventId }: CategoryToChange,
): Promise<CategoryRow> {
  if (eventId !== undefined) await getOwnedEvent(ctx, caller, eventId)
  const category = await findCategory(ctx.db, id)
  if (!category || (eventId !== undefined && category.event_id !== eventId)) throw new AppError('NOT_FOUND')
  await assertEditable(ctx, caller, category.event_id)
  return category
}

/** Editing global categories requires the same permission as editing settings. */
async function assertEditable(ctx: PlatformContext, caller: AccountCaller, eventId: number | null): Promise<void> {
  if (eventId !== null) assertNotArchived(await getOwnedEvent(ctx, caller, eventId))
  else if (!hasPermission(caller.user.role, 'settings.edit')) throw new AppError('FORBIDDEN')
}
