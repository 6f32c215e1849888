import type { MessageKey } from '../../locales/catalogs.ts'
import { t } from '../platform/text/command-messages.ts'
import { type ComparedKind, findHere, findOriginals } from './find-here.ts'
import type { Move } from './move-context.ts'
import type { Difference, MoveCount, MoveReport } from './move-report.ts'
import { type SourceRow, toLine, toWhole } from './source/source-values.ts'

const byId = (row: SourceRow): string => String(toWhole(row.id))

/** Where the rows of each kind are in the source, and how they are named in `moved_rows`. */
const kinds: ReadonlyArray<{
  kind: ComparedKind
  table: string
  plural: MessageKey<'commands'>
  nameRow: (row: SourceRow) => string
}> = [
  { kind: 'account', table: 'admin_users', plural: 'movedAccounts', nameRow: byId },
  { kind: 'token', table: 'api_tokens', plural: 'movedTokens', nameRow: byId },
  { kind: 'webhook', table: 'webhooks', plural: 'movedWebhooks', nameRow: byId },
  {
    kind: 'event type',
    table: 'event_types',
    plural: 'movedTypes',
    nameRow: (row) => toLine(row.slug_prefix) ?? '',
  },
  { kind: 'category', table: 'photo_categories', plural: 'movedCategories', nameRow: byId },
  { kind: 'event', table: 'events', plural: 'movedEvents', nameRow: byId },
  { kind: 'photo', table: 'photos', plural: 'movedPhotos', nameRow: byId },
  { kind: 'guest', table: 'gallery_guests', plural: 'movedGuests', nameRow: (row) => `guest ${toWhole(row.id)}` },
  {
    kind: 'feedback',
    table: 'photo_feedback',
    plural: 'movedFeedback',
    nameRow: byId,
  },
  { kind: 'customer', table: 'customer_accounts', plural: 'movedCustomers', nameRow: byId },
  { kind: 'assignment', table: 'event_customer_assignments', plural: 'movedAssignments', nameRow: byId },
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

const leftOutReasons: Readonly<Record<string, MessageKey<'commands'>>> = {
  access_logs: 'logsStay',
  activity_logs: 'logsStay',
  admin_invitations: 'inviteAgain',
  customer_invitations: 'inviteCustomersAgain',
  cms_pages: 'noPages',
  css_templates: 'noCss',
  email_configs: 'enterMailServer',
  email_queue: 'mailsOfPicpeak',
  email_template_translations: 'mailsFixed',
  email_templates: 'mailsFixed',
  guest_invites: 'personalLinks',
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
    const count = { kind: t(plural), source: 0, moved: 0 }
    const files = { kind: t('movedOriginals'), source: 0, moved: 0 }
    for await (const row of source.database.read(table)) {
      const target = targets.get(nameRow(row))
      count.source++
      if (target === undefined) {
        if (!reported.has(String(row.id))) add(table, row.id, t('rowMissing'))
      } else if (!here.has(target)) add(table, row.id, t('rowGone'))
      else {
        count.moved++
        if (originals?.has(target)) files.moved++
        else if (originals) add(table, row.id, t('rowWithoutOriginal'))
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
    const reason = isByChoice ? 'leftOutByChoice' : (leftOutReasons[table] ?? 'noCounterpart')
    if (rows > 0) leftOut.push({ table, rows, reason: t(reason) })
  }
  return leftOut
}
