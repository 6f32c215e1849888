import { type ComparedKind, findHere, findOriginals } from './find-here.ts'
import type { Move } from './move-context.ts'
import type { Difference, MoveCount, MoveReport } from './move-report.ts'
import { type SourceRow, toLine, toWhole } from './source/source-values.ts'

const byId = (row: SourceRow): string => String(toWhole(row.id))

/** Where the rows of each kind are in the source, and how they are named in `moved_rows`. */
const kinds: ReadonlyArray<{ kind: ComparedKind; table: string; plural: string; nameRow: (row: SourceRow) => string }> =
  [
    { kind: 'account', table: 'admin_users', plural: 'accounts', nameRow: byId },
    { kind: 'token', table: 'api_tokens', plural: 'API tokens', nameRow: byId },
    { kind: 'webhook', table: 'webhooks', plural: 'webhooks', nameRow: byId },
    {
      kind: 'event type',
      table: 'event_types',
      plural: 'event types',
      nameRow: (row) => toLine(row.slug_prefix) ?? '',
    },
    { kind: 'category', table: 'photo_categories', plural: 'categories', nameRow: byId },
    { kind: 'event', table: 'events', plural: 'events', nameRow: byId },
    { kind: 'photo', table: 'photos', plural: 'photos', nameRow: byId },
    { kind: 'guest', table: 'gallery_guests', plural: 'guests', nameRow: (row) => `guest ${toWhole(row.id)}` },
    {
      kind: 'feedback',
      table: 'photo_feedback',
      plural: 'marks and comments',
      nameRow: byId,
    },
    { kind: 'customer', table: 'customer_accounts', plural: 'customers', nameRow: byId },
    { kind: 'assignment', table: 'event_customer_assignments', plural: 'galleries of customers', nameRow: byId },
  ]

/** What `--accounts none` leaves out. */
const accessTables = new Set(['admin_users', 'api_tokens', 'webhooks'])

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
  customer_invitations: 'Their links cannot be verified. Invite these customers again.',
  cms_pages: 'Proofroom has no pages with custom texts.',
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

/**
 * Counts the rows of both sides, and the originals of the photos. Adds a difference for each row that was moved and is no
 * longer here, and for each that was never moved and is not reported yet.
 */
export async function compare(move: Move, differences: readonly Difference[]): Promise<MoveCount[]> {
  const { ctx, source, moved, add, accounts } = move
  const counts: MoveCount[] = []
  for (const { kind, table, plural, nameRow } of kinds) {
    if (!source.database.tables.has(table) || (accounts === 'none' && accessTables.has(table))) continue
    const targets = await moved.list(kind)
    const here = await findHere(ctx, kind, [...targets.values()])
    const originals = kind === 'photo' ? await findOriginals(ctx, [...here]) : null
    const reported = new Set(differences.filter((one) => one.table === table).map(({ id }) => id))
    const count = { kind: plural, source: 0, moved: 0 }
    const files = { kind: 'originals', source: 0, moved: 0 }
    for await (const row of source.database.read(table)) {
      const target = targets.get(nameRow(row))
      count.source++
      if (target === undefined) {
        if (!reported.has(String(row.id))) add(table, row.id, 'The row is missing here.')
      } else if (!here.has(target)) add(table, row.id, 'The row was moved, and is no longer here.')
      else {
        count.moved++
        if (originals?.has(target)) files.moved++
        else if (originals) add(table, row.id, 'The row is here, but its original is missing in the storage.')
      }
    }
    counts.push(count)
    if (originals) counts.push({ ...files, source: count.source })
  }
  return counts
}

export async function listLeftOut({
  source: { database },
  accounts,
}: Pick<Move, 'source' | 'accounts'>): Promise<MoveReport['leftOut']> {
  const leftOut: MoveReport['leftOut'] = []
  for (const table of [...database.tables.keys()].sort()) {
    const isByChoice = accounts === 'none' && accessTables.has(table)
    if (!isByChoice && (movedTables.has(table) || isInternal(table))) continue
    const rows = await database.count(table)
    const reason = isByChoice ? 'Left out by --accounts none.' : leftOutReasons[table]
    if (rows > 0) leftOut.push({ table, rows, reason: reason ?? 'Proofroom has nothing like it.' })
  }
  return leftOut
}
