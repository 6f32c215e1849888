import { ExportChoice, type ExportFormat, type ExportQuery } from '../../contract/exports.ts'
import type { Language } from '../../contract/languages.ts'
import type { MarkSource } from '../../contract/marks.ts'
import type { AccountCaller } from '../access/callers.ts'
import { canReadNotes } from '../access/roles.ts'
import { getOwnedEvent } from '../events/event-ownership.ts'
import { findGuest } from '../events/guests/guest-rows.ts'
import { type LabelNames, labelNames, parseLabelNames } from '../feedback/marks/label-names.ts'
import { listOpenThreads } from '../feedback/threads/list-threads.ts'
import { invalidField } from '../platform/errors/app-error.ts'
import { getTranslator } from '../platform/text/messages.ts'
import { createSlug } from '../platform/text/slugs.ts'
import { findAgreed } from '../selections/receipts/agreed-selections.ts'
import type { AppContext } from '../settings/app-context.ts'
import { exportMarks, type MarksExport } from './export-marks.ts'
import { formatInstructions } from './instructions.ts'
import type { FileNaming } from './xmp-sidecars.ts'

export type RanExport = {
  markExport: MarksExport
  labels: LabelNames
  naming: FileNaming
  /** The guest whose marks the export has; null for those of all guests. */
  guestId: string | null
  headers: Record<'x-export-id' | 'x-export-photos', string> & { 'x-export-round'?: string }
  /** States the event, whose marks the export has, the round of a selection, and its number. */
  downloadName: (extension: string) => string
}

export type ExportRequest = Omit<ExportQuery, 'format' | 'headers' | 'separator'>

/** Stores an export. Throws NOT_FOUND, and VALIDATION_ERROR for `labels` and those of `exportMarks`. */
export async function runExport(
  ctx: AppContext,
  caller: AccountCaller,
  { eventId, format }: { eventId: number; format: ExportFormat },
  query: ExportRequest,
): Promise<RanExport & { eventId: number }> {
  const labels = query.labels === undefined ? labelNames[query.label_language] : parseLabelNames(query.labels)
  if (!labels) throw invalidField('labels', 'must be five names, separated by commas')
  const event = await getOwnedEvent(ctx, caller, eventId)
  const markExport = await exportMarks(ctx, {
    eventId: event.id,
    userId: caller.user.id,
    format,
    choice: parseChoice(query),
    since: query.since ?? null,
  })
  const agreed = query.selection === undefined ? null : await findAgreed(ctx.db, event.id, query.selection)
  const round = agreed?.snapshot.round
  const guestId = query.marks_of ?? agreed?.guestId ?? null
  const whose = await describeMarkOwner(ctx, event.id, { source: query.mark_source, guestId, isOfOne: agreed !== null })
  const ofRound = round === undefined ? '' : `-round-${round}`
  return {
    eventId: event.id,
    markExport,
    labels,
    guestId,
    naming: { isFull: query.naming === 'full', rawExtension: query.raw_extension ?? null },
    headers: {
      'x-export-id': String(markExport.id),
      'x-export-photos': String(markExport.photos.length),
      ...(round !== undefined && { 'x-export-round': String(round) }),
    },
    downloadName: (extension) => `${event.slug}-picks-${whose}${ofRound}-${markExport.id}.${extension}`,
  }
}

/** Returns the part of a file name that states whose marks the export contains. */
async function describeMarkOwner(
  ctx: AppContext,
  eventId: number,
  { source, guestId, isOfOne }: { source: MarkSource; guestId: string | null; isOfOne: boolean },
): Promise<string> {
  if (source === 'mine') return 'own'
  const guest = guestId === null ? undefined : await findGuest(ctx.db, eventId, guestId)
  const one = createSlug(guest?.name ?? '').slice(0, 40) || 'guest'
  const guests = guestId !== null || isOfOne ? one : 'guests'
  return source === 'client' ? guests : `${guests}-and-own`
}

function parseChoice(query: ExportRequest): ExportChoice {
  const keys = new Set(Object.keys(ExportChoice.properties))
  return Object.fromEntries(Object.entries(query).filter(([key]) => keys.has(key))) as ExportChoice
}

type InstructionsQuery = Pick<ExportQuery, 'comments'> & { eventId: number; language: Language }

/** Returns the words of open threads by photo id. Without the right to read notes, these are only comments. */
export async function loadInstructions(
  { db }: AppContext,
  caller: AccountCaller,
  { eventId, comments, language }: InstructionsQuery,
): Promise<Map<number, string>> {
  const threads = await listOpenThreads(db, eventId, canReadNotes(caller))
  return formatInstructions(threads, {
    t: getTranslator('exports', language).t,
    withPending: comments === 'pending',
  })
}
