import { type EventRow, findEvent, findEventBySlug } from '../events/event-rows.ts'
import { formatByteSize } from '../health/format-byte-size.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { FileMissing, StorageFull } from '../platform/storage/storage.ts'
import { isoTime } from '../platform/time/clock.ts'
import { adoptFile, listAdoptable, type QuarantinedOriginal } from '../repair/adopt-file.ts'
import type { AppContext } from '../settings/app-context.ts'
import { fail } from './command-errors.ts'
import { print } from './print.ts'

export type AdoptOptions = { all?: boolean; event?: string }

/** Makes photos of the chosen originals in quarantine. Without keys and without `all`, only lists the originals. */
export async function adoptFiles(
  ctx: AppContext,
  keys: string[],
  { all = false, event: slug }: AdoptOptions,
): Promise<void> {
  const target = slug === undefined ? null : await findEventBySlug(ctx.db, slug)
  if (target === undefined) return fail('There is no event with this slug.')
  const originals: QuarantinedOriginal[] = []
  for await (const original of listAdoptable(ctx)) originals.push(original)
  if (keys.length === 0 && !all) return list(ctx, originals)

  const unknown = keys.filter((key) => !originals.some((original) => original.key === key))
  if (unknown.length > 0) return fail(`Not in quarantine (lost+found): ${unknown.join(', ')}`)
  let adopted = 0
  const chosen = originals.filter(({ key }) => all || keys.includes(key))
  for (const original of chosen) adopted += await adopt(ctx, original, target)
  print(`${adopted} of ${chosen.length} files adopted.`)
}

async function list(ctx: AppContext, originals: QuarantinedOriginal[]): Promise<void> {
  for (const { key, eventId, sizeBytes, quarantinedAt } of originals) {
    const event = await findEvent(ctx.db, eventId)
    const fields = [
      key,
      formatByteSize(sizeBytes),
      `quarantined ${isoTime(quarantinedAt)}`,
      event?.slug ?? 'event deleted',
    ]
    print(fields.join('  '))
  }
  if (originals.length === 0) return print('There are no originals in quarantine.')
  print(
    '',
    'Run proofroom adopt <file>… or proofroom adopt --all to make photos of them again. Add --event <slug> to choose another event.',
  )
}

async function adopt(ctx: AppContext, original: QuarantinedOriginal, target: EventRow | null): Promise<0 | 1> {
  const { key, eventId } = original
  const event = target ?? (await findEvent(ctx.db, eventId))
  if (!event) return reportRejection(key, 'Its event was deleted. Choose another one with --event.')
  try {
    const { photoId, isNew } = await adoptFile(ctx, original, event)
    print(`${key}: ${isNew ? '' : 'already present as '}photo ${photoId} of ${event.slug}`)
    return 1
  } catch (error) {
    if (error instanceof AppError) return reportRejection(key, error.message)
    if (error instanceof StorageFull) return reportRejection(key, 'The disk is full.')
    if (error instanceof FileMissing) return reportRejection(key, 'The file no longer exists.')
    throw error
  }
}

function reportRejection(key: string, reason: string): 0 {
  fail(`${key}: ${reason}`)
  return 0
}
