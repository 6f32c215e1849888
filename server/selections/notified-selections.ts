import type { MailKind } from '../../contract/instance/mail.ts'
import type { Tx } from '../platform/database/tables.ts'

type SentMail = { kind: MailKind; selection_id: number | null; recipient: string }

/**
 * Records that the photographer was notified of a selection, if the mail is about it. Keeps the first time. The first
 * account has an address at localhost until an operator changes it: mails to that address reach nobody.
 */
export async function recordSentMail(tx: Tx, { kind, selection_id, recipient }: SentMail, now: number): Promise<void> {
  if (kind !== 'selection_submitted' || selection_id === null) return
  if (!recipient.endsWith('@localhost')) await setNotified(tx, selection_id, now)
}

type Delivered = { event_type: string; envelope: string }

/** As `recordSentMail`, for a webhook delivery. A sample that an operator has sent is not about a selection. */
export async function recordDelivered(tx: Tx, { event_type, envelope }: Delivered, now: number): Promise<void> {
  if (event_type !== 'selection.submitted') return
  const { test, data } = JSON.parse(envelope) as { test?: boolean; data: { selection: { id: number } } }
  if (!test) await setNotified(tx, data.selection.id, now)
}

const setNotified = (tx: Tx, id: number, now: number) =>
  tx.updateTable('selections').set({ notified_at: now }).where('id', '=', id).where('notified_at', 'is', null).execute()
