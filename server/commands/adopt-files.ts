import { type EventRow, findEvent, findEventBySlug } from '../events/event-rows.ts'
import { formatByteSize } from '../health/format-byte-size.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { FileMissing, StorageFull } from '../platform/storage/storage.ts'
import { getCommandLanguage, t } from '../platform/text/command-messages.ts'
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
  if (target === undefined) return fail(t('noEvent'))
  const originals: QuarantinedOriginal[] = []
  for await (const original of listAdoptable(ctx)) originals.push(original)
  if (keys.length === 0 && !all) return list(ctx, originals)

  const unknown = keys.filter((key) => !originals.some((original) => original.key === key))
  if (unknown.length > 0) return fail(t('notInQuarantine', { files: unknown.join(', ') }))
  let adopted = 0
  const chosen = originals.filter(({ key }) => all || keys.includes(key))
  for (const original of chosen) adopted += await adopt(ctx, original, target)
  print(t('adopted', { adopted, count: chosen.length }))
}

async function list(ctx: AppContext, originals: QuarantinedOriginal[]): Promise<void> {
  for (const { key, eventId, sizeBytes, quarantinedAt } of originals) {
    const event = await findEvent(ctx.db, eventId)
    const fields = [
      key,
      formatByteSize(sizeBytes, getCommandLanguage()),
      t('quarantinedAt', { time: isoTime(quarantinedAt) }),
      event?.slug ?? t('eventDeleted'),
    ]
    print(fields.join('  '))
  }
  if (originals.length === 0) return print(t('noneInQuarantine'))
  print('', t('adoptHint'))
}

async function adopt(ctx: AppContext, original: QuarantinedOriginal, target: EventRow | null): Promise<0 | 1> {
  const { key, eventId } = original
  const event = target ?? (await findEvent(ctx.db, eventId))
  if (!event) return reportRejection(key, t('itsEventDeleted'))
  try {
    const { photoId, isNew } = await adoptFile(ctx, original, event)
    print(t(isNew ? 'adoptedAs' : 'presentAs', { file: key, id: photoId, event: event.slug }))
    return 1
  } catch (error) {
    if (error instanceof AppError) return reportRejection(key, error.message)
    if (error instanceof StorageFull) return reportRejection(key, t('diskFull'))
    if (error instanceof FileMissing) return reportRejection(key, t('fileGone'))
    throw error
  }
}

function reportRejection(key: string, reason: string): 0 {
  fail(`${key}: ${reason}`)
  return 0
}
