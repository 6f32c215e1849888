import { createHash } from 'node:crypto'
import { createEvent } from '../events/create-event.ts'
import { appDefaults } from '../events/event-requirements.ts'
import { type EventRow, findEvent } from '../events/event-rows.ts'
import { createMovedRows } from '../picpeak/moved-rows.ts'
import { normalizeText } from '../platform/text/normalize-text.ts'
import { isCalendarDate } from '../platform/time/input-times.ts'
import type { AppContext } from '../settings/app-context.ts'
import { findOwner } from './find-owner.ts'

export type FolderEvents = {
  /**
   * Returns the event that an earlier import made of the folder, or creates it as a draft. Returns undefined if it was
   * deleted since. Throws the errors of `createEvent`.
   */
  get: (folder: string) => Promise<EventRow | undefined>
  /** The events that were created. */
  created: EventRow[]
}

/** `path`: the folder or ZIP of the import, by which a later import recognizes it. */
export function createFolderEvents(ctx: AppContext, path: string, type: string): FolderEvents {
  const digest = createHash('sha256').update(path).digest('hex').slice(0, 16)
  const moved = createMovedRows(ctx.db, `folder ${digest}`)
  const created: EventRow[] = []

  async function create(folder: string): Promise<EventRow> {
    const owner = await findOwner(ctx)
    const settings = await ctx.settings.values()
    const body = {
      ...readFolderName(folder),
      event_type: type,
      is_draft: true,
      send_email: false,
      require_password: false,
      ...appDefaults(settings),
    }
    const event = await createEvent(ctx, owner, body, (tx, { id }) => moved.record(tx, 'event', [[folder, id]]))
    created.push(event)
    return event
  }

  return {
    created,
    async get(folder) {
      const known = (await moved.find(ctx.db, 'event', [folder])).get(folder)
      return known === undefined ? create(folder) : findEvent(ctx.db, Number(known))
    },
  }
}

const maxNameLength = 200

/** `2026-06-20 Ana & Ben` has the date of the event. */
function readFolderName(folder: string): { event_name: string; event_date: string | null } {
  const plain = normalizeText(folder.toWellFormed())
    .replace(/\p{Cc}/gu, '')
    .trim()
  const [, date = '', rest = ''] = /^(\d{4}-\d{2}-\d{2})[ _-]+(.+)$/.exec(plain) ?? []
  const isDated = isCalendarDate(date)
  const name = (isDated ? rest : plain).slice(0, maxNameLength).toWellFormed().trim()
  return { event_name: name || 'Import', event_date: isDated ? date : null }
}
