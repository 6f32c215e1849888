import { randomUUID } from 'node:crypto'
import type { WebhookEventType } from '../../contract/webhooks.ts'
import { isoTime } from '../platform/clock.ts'
import { sampleData } from './sample-data.ts'

/** What a receiver is told, in the order in which the keys are sent. */
export type Envelope = {
  /** A UUID: the same over all attempts of a delivery, another one for each delivery. */
  id: string
  type: WebhookEventType
  /** When it happened. */
  created_at: string
  data: object
  /** The delivery whose envelope is told again. */
  replayed_from?: number
  /** A sample that was asked for: nothing of it has happened. */
  test?: true
}

export const createEnvelope = (type: WebhookEventType, data: object, now: number): Envelope => ({
  id: randomUUID(),
  type,
  created_at: isoTime(now),
  data,
})

/** With every key that an envelope of this type has: for tests and previews. */
export const sampleEnvelope = (type: WebhookEventType, now: number): Envelope =>
  createEnvelope(type, sampleData(type, now), now)

/** The envelope of a delivery once more, under an id of its own; a replay of a replay names the one it repeats. */
export const replayEnvelope = (stored: string, originalId: number): Envelope => ({
  ...(JSON.parse(stored) as Envelope),
  id: randomUUID(),
  replayed_from: originalId,
})
