import type { Move } from './move-context.ts'
import type { Difference, MoveCount, MoveReport } from './move-report.ts'
import type { MovedKind } from './moved-rows.ts'
import { type SourceRow, toLine, toWhole } from './source/source-values.ts'

/** Where the rows of each kind are in the source, and how they are named in `moved_rows`. */
const kinds: ReadonlyArray<{ kind: MovedKind; table: string; plural: string; nameRow: (row: SourceRow) => string }> = [
  { kind: 'account', table: 'admin_users', plural: 'accounts', nameRow: (row) => String(toWhole(row.id)) },
  { kind: 'token', table: 'api_tokens', plural: 'API tokens', nameRow: (row) => String(toWhole(row.id)) },
  { kind: 'webhook', table: 'webhooks', plural: 'webhooks', nameRow: (row) => String(toWhole(row.id)) },
  { kind: 'event type', table: 'event_types', plural: 'event types', nameRow: (row) => toLine(row.slug_prefix) ?? '' },
  { kind: 'category', table: 'photo_categories', plural: 'categories', nameRow: (row) => String(toWhole(row.id)) },
  { kind: 'event', table: 'events', plural: 'events', nameRow: (row) => String(toWhole(row.id)) },
  { kind: 'photo', table: 'photos', plural: 'photos', nameRow: (row) => String(toWhole(row.id)) },
  { kind: 'guest', table: 'gallery_guests', plural: 'guests', nameRow: (row) => `guest ${toWhole(row.id)}` },
  {
    kind: 'feedback',
    table: 'photo_feedback',
    plural: 'marks and comments',
    nameRow: (row) => String(toWhole(row.id)),
  },
]

/** Tables with rows of a moved kind, or whose content is part of such rows. */
const movedTables = new Set([
  ...kinds.map(({ table }) => table),
  'event_feedback_settings',
  'app_settings',
  'roles',
  'slug_redirects',
])

const leftOutReasons: Readonly<Record<string, string>> = {
  access_logs: 'Logs stay in PicPeak.',
  activity_logs: 'Logs stay in PicPeak.',
  admin_invitations: 'Their links cannot be verified. Invite these people again.',
  cms_pages: 'Proofroom has no pages of its own texts.',
  css_templates: 'Galleries have themes instead of CSS.',
  email_configs: 'Enter the mail server again (Settings, Mail and address).',
  email_queue: 'Mails that PicPeak has sent or was about to send.',
  email_template_translations: 'Mails have fixed texts.',
  email_templates: 'Mails have fixed texts.',
  guest_invites: 'Give the guests a personal link instead.',
}

/** Tables that say nothing about galleries. */
const isInternal = (table: string): boolean =>
  /^(migrations|knex_migrations.*|sqlite_sequence|permissions|role_permissions|feedback_rate_limits|revoked_tokens|.*_lock)$/.test(
    table,
  )

/** Counts the rows of both sides, and adds a difference for each row that is neither here nor reported. */
export async function compare(move: Move, differences: Difference[]): Promise<MoveCount[]> {
  const { source, moved, add } = move
  const counts: MoveCount[] = []
  for (const { kind, table, plural, nameRow } of kinds) {
    if (!source.database.tables.has(table)) continue
    const here = await moved.list(kind)
    const reported = new Set(differences.filter((one) => one.table === table).map(({ id }) => id))
    let total = 0
    let movedCount = 0
    for await (const row of source.database.read(table)) {
      total++
      if (here.has(nameRow(row))) movedCount++
      else if (!reported.has(String(row.id))) add(table, row.id, 'The row is missing here.')
    }
    counts.push({ kind: plural, source: total, moved: movedCount })
  }
  return counts
}

export async function listLeftOut({ source: { database } }: Pick<Move, 'source'>): Promise<MoveReport['leftOut']> {
  const leftOut: MoveReport['leftOut'] = []
  for (const table of [...database.tables.keys()].sort()) {
    if (movedTables.has(table) || isInternal(table)) continue
    const rows = await database.count(table)
    if (rows > 0) leftOut.push({ table, rows, reason: leftOutReasons[table] ?? 'Proofroom has nothing like it.' })
  }
  return leftOut
}
