import { hasAnyEvent, isEventIdTaken } from '../events/moved-events.ts'
import { t } from '../platform/text/command-messages.ts'
import type { AppContext } from '../settings/app-context.ts'
import { compare, listLeftOut } from './compare.ts'
import { findOriginal } from './find-original.ts'
import { listAccess } from './list-access.ts'
import { moveAccounts, moveTokens } from './move-accounts.ts'
import { moveCatalog } from './move-catalog.ts'
import type { AccountChoice, Move } from './move-context.ts'
import { moveAssignments, moveCustomers } from './move-customers.ts'
import { addToMovedEvent, createMovedEvent } from './move-event.ts'
import type { Difference, MoveReport } from './move-report.ts'
import { moveWebhooks } from './move-webhooks.ts'
import { createMovedRows, type MovedRows } from './moved-rows.ts'
import type { PicPeakSource } from './picpeak-source.ts'
import { readContent, readEvents, type SourceContent } from './read-content.ts'
import type { SourceEvent } from './read-event.ts'
import { storePhotos } from './store-photos.ts'
import { reserveEventId, reserveIds } from './target-ids.ts'

export type MoveOptions = {
  /** Reads everything and writes nothing. */
  isDryRun: boolean
  links: boolean
  accounts: AccountChoice
  onProgress: (progress: { photos: number; totalPhotos: number; event: string }) => void
}

/**
 * Moves a PicPeak installation in, or what is new in it since the last time. It can be interrupted at any time and
 * started again. Throws StorageFull and errors of the database.
 */
export async function moveInstallation(
  ctx: AppContext,
  source: PicPeakSource,
  { isDryRun, links, accounts, onProgress }: MoveOptions,
): Promise<MoveReport> {
  const differences = new Map<string, Difference>()
  const add = (table: string, id: unknown, reason: string) => {
    const difference = { table, id: String(id), reason }
    differences.set(JSON.stringify(difference), difference)
  }
  for (const { table, id, reason } of source.problems) add(table, id, reason)
  const moved = createMovedRows(ctx.db, source.id)
  const ids = await decideIds(ctx, moved, isDryRun)
  const keepsIds = ids === 'keeping'
  const keepsId = keepsIds && !isDryRun ? await reserveIds(ctx.db, moved, source) : () => false
  const move: Move = { ctx, source, moved, add, keepsIds, keepsId, accounts }
  const totalPhotos = await source.database.count('photos')
  let photos = 0
  let readablePhotos = 0
  const step = (event: SourceEvent, count = 1) => {
    photos += count
    onProgress({ photos, totalPhotos, event: event.columns.event_name })
  }

  const access = isDryRun ? await listAccess(move) : null
  const movedAccounts = isDryRun ? { userIds: new Map(), created: new Set<number>() } : await moveAccounts(move)
  const { userIds } = movedAccounts
  if (!isDryRun) {
    await moveCatalog(move)
    await moveTokens(move, movedAccounts)
    await moveWebhooks(move)
    await moveCustomers(move, userIds)
  }
  const { isForeign: isReadableHash } = ctx.passwords
  const reading = { source, settings: await ctx.settings.values(), now: ctx.clock.now(), add, isReadableHash }
  const known = await moved.list('event')
  for await (const event of readEvents(reading)) {
    const content = await readContent(reading, event)
    if (isDryRun) {
      readablePhotos += await countReadable(move, event, content)
      step(event, content.photos.length)
      continue
    }
    const there = known.get(String(event.id))
    if (there !== undefined && !(await isEventIdTaken(ctx.db, Number(there)))) {
      // The comparison names it.
      step(event, content.photos.length)
      continue
    }
    const id = there === undefined ? await chooseEventId(move, event) : Number(there)
    const arrived = await moved.find(
      ctx.db,
      'photo',
      content.photos.map((photo) => photo.id),
    )
    const missing = content.photos.filter((photo) => !arrived.has(String(photo.id)))
    step(event, content.photos.length - missing.length)
    await storePhotos(move, event, missing, id, { links, onPhoto: () => step(event) })
    const target = { id, userIds, categoryIds: await moved.list('category') }
    if (there === undefined) await createMovedEvent(move, event, content, target)
    else await addToMovedEvent(move, content, target)
  }
  if (!isDryRun) await moveAssignments(move)
  if (!isDryRun) await moved.record(ctx.db, 'ids', [['ids', ids === 'new' ? 'new' : 'kept']])
  const counts = isDryRun ? await countSource(move, readablePhotos) : await compare(move, [...differences.values()])
  return {
    isDryRun,
    hasKeptIds: ids !== 'new',
    access,
    counts,
    differences: [...differences.values()],
    leftOut: await listLeftOut(move),
  }
}

/**
 * Ids stay as they are in the first import into an instance without events: `keeping`, and `kept` after it. Rows that are
 * new in the source later get new ids.
 */
type Ids = 'keeping' | 'kept' | 'new'

async function decideIds({ db }: AppContext, moved: MovedRows, isDryRun: boolean): Promise<Ids> {
  const decided = (await moved.list('ids')).get('ids')
  if (decided !== undefined) return decided as Ids
  const ids = (await hasAnyEvent(db)) ? 'new' : 'keeping'
  if (!isDryRun) await moved.record(db, 'ids', [['ids', ids]])
  return ids
}

/** An id that an interrupted import has chosen is used again, because photos have arrived under it. */
async function chooseEventId({ ctx, moved, add, keepsIds, keepsId }: Move, { id }: SourceEvent): Promise<number> {
  const chosen = (await moved.find(ctx.db, 'event id', [id])).get(String(id))
  if (chosen !== undefined) return Number(chosen)
  const next = keepsId('events', id) && !(await isEventIdTaken(ctx.db, id)) ? id : await reserveEventId(ctx.db)
  if (keepsIds && next !== id) add('events', id, t('newId', { id: next }))
  await moved.record(ctx.db, 'event id', [[id, next]])
  return next
}

/** Returns how many photos have an original that can be taken, or are here already. Reports the others. Reads no content. */
async function countReadable(move: Move, event: SourceEvent, { photos }: SourceContent): Promise<number> {
  const { ctx, source, moved, add } = move
  const ids = photos.map(({ id }) => id)
  const arrived = await moved.find(ctx.db, 'photo', ids)
  const zip = event.archivePath === null ? null : await source.files.openZip(event.archivePath)
  let unusable = 0
  for (const photo of photos) {
    if (arrived.has(String(photo.id))) continue
    const found = await findOriginal(move, photo, zip)
    if (typeof found !== 'string') continue
    unusable++
    add('photos', photo.id, found)
  }
  zip?.close()
  return photos.length - unusable
}

/** `moved` is what the import would move, as far as this is known without it. */
async function countSource(
  { source: { database }, accounts }: Move,
  readablePhotos: number,
): Promise<MoveReport['counts']> {
  const tables = {
    ...(accounts !== 'none' && { movedAccounts: 'admin_users' }),
    movedEvents: 'events',
    movedPhotos: 'photos',
    movedFeedback: 'photo_feedback',
  }
  return Promise.all(
    Object.entries(tables).map(async ([kind, table]) => {
      const rows = await database.count(table)
      return { kind: t(kind as keyof typeof tables), source: rows, moved: table === 'photos' ? readablePhotos : rows }
    }),
  )
}
