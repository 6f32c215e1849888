import { findCustomer, findCustomerByEmail } from '../access/customers/customer-rows.ts'
import { isEventIdTaken } from '../events/moved-events.ts'
import { assignMovedCustomer, insertMovedCustomer } from '../people/customers/moved-customers.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { t } from '../platform/text/command-messages.ts'
import type { Move } from './move-context.ts'
import { readAll } from './picpeak-source.ts'
import { type SourceRow, toFlag, toLine, toTime, toWhole } from './source/source-values.ts'

const maxNameLength = 200
const maxEmailLength = 254

/** Moves customers with their passwords. A customer with the same mail address here stays as it is. */
export async function moveCustomers(move: Move, userIds: ReadonlyMap<number, number>): Promise<void> {
  const { ctx, source, moved, add } = move
  if (!source.database.tables.has('customer_accounts')) return
  const known = await moved.list('customer')
  for (const row of await readAll(source.database.read('customer_accounts'))) {
    const sourceId = toWhole(row.id)
    const email = toLine(row.email)
    if (sourceId === null || known.has(String(sourceId))) continue
    if (email === null || email.length > maxEmailLength || !email.includes('@')) {
      add('customer_accounts', row.id, t('customerWithoutEmail'))
      continue
    }
    const hash = toLine(row.password_hash)
    const isReadable = ctx.passwords.isForeign(hash)
    if (!isReadable) add('customer_accounts', row.id, t('passwordUnreadable'))
    const createdAt = toTime(row.created_at) ?? ctx.clock.now()
    const customer = {
      name: readName(row, email),
      email,
      password_hash: isReadable ? hash : null,
      is_active: toFlag(row.is_active, true),
      created_at: createdAt,
      updated_at: toTime(row.updated_at) ?? createdAt,
      last_login_at: toTime(row.last_login),
      created_by: userIds.get(toWhole(row.created_by_admin_id) ?? 0) ?? null,
    }
    await inTransaction(ctx.db, 'everything', async (tx) => {
      const id = await insertMovedCustomer(tx, customer)
      if (id === null) add('customer_accounts', row.id, t('customerExists', { email }))
      const here = id ?? (await findCustomerByEmail(tx, email))?.id
      if (here !== undefined) await moved.record(tx, 'customer', [[sourceId, here]])
    })
  }
}

/** Assigns the moved events. Call it when they are here. */
export async function moveAssignments({ ctx, source, moved, add }: Move): Promise<void> {
  if (!source.database.tables.has('event_customer_assignments')) return
  const [known, events, customers] = [
    await moved.list('assignment'),
    await moved.list('event'),
    await moved.list('customer'),
  ]
  for (const row of await readAll(source.database.read('event_customer_assignments'))) {
    const sourceId = toWhole(row.id)
    if (sourceId === null || known.has(String(sourceId))) continue
    const eventId = Number(events.get(String(toWhole(row.event_id))) ?? 0)
    const customerId = Number(customers.get(String(toWhole(row.customer_account_id))) ?? 0)
    const areHere = (await isEventIdTaken(ctx.db, eventId)) && (await findCustomer(ctx.db, customerId)) !== undefined
    if (!areHere) {
      add('event_customer_assignments', row.id, t('assignmentIncomplete'))
      continue
    }
    const assignedAt = toTime(row.assigned_at) ?? ctx.clock.now()
    await inTransaction(ctx.db, `event ${eventId}`, async (tx) => {
      await assignMovedCustomer(tx, { customerId, eventId, assignedAt })
      await moved.record(tx, 'assignment', [[sourceId, `${customerId} ${eventId}`]])
    })
  }
  ctx.changes.notify('customer', null)
}

function readName(row: SourceRow, email: string): string {
  const both = [toLine(row.first_name), toLine(row.last_name)].filter((part) => part !== null).join(' ')
  const name = toLine(row.display_name) ?? (both || null) ?? toLine(row.company_name) ?? email
  return name.slice(0, maxNameLength).toWellFormed()
}
