import type { CompiledQuery, Generated, Selectable } from 'kysely'
import type { EventSwitch } from '../../contract/event-features.ts'
import type { PhotoSort } from '../../contract/events.ts'
import type { Language } from '../../contract/languages.ts'
import type { CoverLayout, HeaderStyle, Typeface } from '../../contract/themes.ts'
import { compileOnce } from '../platform/database/compile-once.ts'
import { byKey } from '../platform/database/short-read.ts'
import { type Database, type Flag, flag, type Tx } from '../platform/database/tables.ts'

export type EventTable = Record<EventSwitch, Flag> & {
  id: Generated<number>
  slug: string
  share_token: string
  /** Stored in every guest session of the event. A new key ends all these sessions. */
  access_key: string
  event_type: string
  event_name: string
  event_date: string | null
  customer_name: string | null
  customer_email: string | null
  customer_phone: string | null
  admin_email: string | null
  welcome_message: string
  require_password: Flag
  password_hash: string | null
  expires_at: number
  photo_cap: number
  theme_preset: string
  header_style: HeaderStyle
  /** Null for that of the theme. */
  typeface: Typeface | null
  /** Used if `header_style` is `hero`. */
  cover_layout: CoverLayout
  /** Percent, chosen by an operator; null for the place in `cover_facts`. */
  cover_focus_x: number | null
  cover_focus_y: number | null
  /** The JSON of `CoverFacts`; null until a cover is measured. */
  cover_facts: string | null
  is_draft: Flag
  is_archived: Flag
  archived_at: number | null
  /** When `event.expired` was announced; null before, and again after a change of `expires_at`. */
  expired_at: number | null
  /** Whether the customer gets a mail when the event goes live. */
  send_email: Flag
  /** The `expires_at` for which a warning mail was sent or is not needed; null before the first. */
  expiry_warned_for: number | null
  allow_user_uploads: Flag
  upload_category_id: number | null
  default_photo_sort: PhotoSort
  cover_photo_id: number | null
  watermark_text: string | null
  download_max_px: number | null
  reveal_at: number | null
  /** How long guests stay signed in, 1 to 30 days. */
  guest_session_days: number
  /** Of the gallery and of mails to the customer; null for that of the browser, or of the instance. */
  language: Language | null
  total_views: number
  total_downloads: number
  created_at: number
  updated_at: number
  created_by: number | null
  /** When the event was moved to the trash; null if it is not there. Only `presentEvents` excludes such events. */
  trashed_at: number | null
  /** Whether guests choose by a package. */
  has_package: Flag
  /** Whether guests are told that more photos are coming. */
  has_first_look: Flag
}

export type EventMemberTable = { event_id: number; user_id: number }

declare module '../platform/database/tables.ts' {
  interface Tables {
    events: EventTable
    event_members: EventMemberTable
  }
}

export type EventRow = Selectable<EventTable>

/**
 * All events except those in the trash, under the name `events`. All reads use it: `tests/architecture/present-events.test.ts`
 * lists the files that may read the table itself.
 */
export const presentEvents = (db: Database) =>
  db.selectFrom('events').selectAll('events').where('events.trashed_at', 'is', null).as('events')

export const selectEvent = (db: Database, id: number): CompiledQuery<EventRow> =>
  compileOnce(db, 'event by id', { id }, ({ id }) =>
    db.selectFrom(presentEvents(db)).selectAll().where('id', '=', id).modifyEnd(byKey),
  )

export const findEvent = async (db: Database, id: number): Promise<EventRow | undefined> =>
  (await db.executeQuery(selectEvent(db, id))).rows[0]

export const setHasPackage = (tx: Tx, id: number, hasPackage: boolean) =>
  tx
    .updateTable('events')
    .set({ has_package: flag(hasPackage) })
    .where('id', '=', id)
    .execute()

export const setHasFirstLook = (tx: Tx, id: number, hasFirstLook: boolean) =>
  tx
    .updateTable('events')
    .set({ has_first_look: flag(hasFirstLook) })
    .where('id', '=', id)
    .execute()

/** A change of the password protection or a renewed link replaces the share token, so that older links find nothing. */
export const findEventByShareToken = (db: Database, shareToken: string): Promise<EventRow | undefined> =>
  db.selectFrom(presentEvents(db)).selectAll().where('share_token', '=', shareToken).modifyEnd(byKey).executeTakeFirst()

export const findEventBySlug = (db: Database, slug: string): Promise<EventRow | undefined> =>
  db.selectFrom(presentEvents(db)).selectAll().where('slug', '=', slug).modifyEnd(byKey).executeTakeFirst()
