import { typesWithGuests } from '../../contract/webhook-envelopes.ts'
import type { Tx } from '../platform/database/tables.ts'
import type { GuestBelongings } from '../settings/belongings.ts'
import { renderTemplate } from './delivery/queue-delivery.ts'
import type { DeliveryRow } from './delivery-rows.ts'
import type { Envelope } from './envelopes.ts'

const rowsPerBatch = 200

type NamedGuest = { id: string; name: string | null; email: string | null }
type GuestData = {
  guest?: NamedGuest
  selection?: { guest: NamedGuest; note: string | null }
  round?: { guest: NamedGuest; message: string }
}

export const deliveriesAboutGuests: GuestBelongings = {
  tables: ['webhook_deliveries'],
  erase: async (tx, { guestIds }) => ({ counts: { webhook_deliveries: await redactDeliveries(tx, guestIds) } }),
}

/**
 * Removes name and mail address of guests, and the words from and to them, from all deliveries and returns how many had such a guest. A pending
 * delivery is sent without them. For a completed delivery, the body of a template is erased, and so is the response.
 */
async function redactDeliveries(tx: Tx, guestIds: readonly string[]): Promise<number> {
  let count = 0
  for (let lastId = 0; ; ) {
    const rows = await listDeliveriesAbout(tx, guestIds, lastId)
    const last = rows.at(-1)
    if (!last) return count
    lastId = last.id
    for (const row of rows) {
      const envelope = redactEnvelope(row.envelope, guestIds)
      if (!envelope) continue
      count++
      const bodies = { envelope: JSON.stringify(envelope), templated_body: redactedBody(row, envelope) }
      await tx
        .updateTable('webhook_deliveries')
        .set({ ...bodies, response_body: null })
        .where('id', '=', row.id)
        .execute()
    }
  }
}

const listDeliveriesAbout = (tx: Tx, guestIds: readonly string[], afterId: number) =>
  tx
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .select(['webhook_deliveries.id', 'status', 'envelope', 'templated_body', 'template'])
    .where('webhook_deliveries.id', '>', afterId)
    .where('event_type', 'in', typesWithGuests)
    .where((where) => where.or(guestIds.map((id) => where('envelope', 'like', `%${JSON.stringify(id)}%`))))
    .orderBy('webhook_deliveries.id')
    .limit(rowsPerBatch)
    .execute()

/** Returns null if the envelope is not about one of the guests. */
function redactEnvelope(stored: string, guestIds: readonly string[]): Envelope | null {
  const envelope = JSON.parse(stored) as Envelope & { data: GuestData }
  const { guest, selection, round } = envelope.data
  const named = guest ?? selection?.guest ?? round?.guest
  if (!named || !guestIds.includes(named.id)) return null
  Object.assign(named, { name: null, email: null })
  if (selection) selection.note = null
  if (round) round.message = ''
  return envelope
}

function redactedBody(
  { status, template, templated_body }: Pick<DeliveryRow, 'status' | 'templated_body'> & { template: string | null },
  envelope: Envelope,
): string | null {
  if (templated_body === null) return null
  if (status !== 'pending') return ''
  const { templatedBody, problem } = renderTemplate(template, envelope)
  return problem === null ? templatedBody : null
}
