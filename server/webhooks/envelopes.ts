import { randomUUID } from 'node:crypto'
import type { WebhookEventType } from '../../contract/webhooks.ts'
import { isoTime } from '../platform/time/clock.ts'
import { sampleData } from './sample-data.ts'

/** The keys are sent in this order. */
export type Envelope = {
  /** A UUID: the same for all attempts of a delivery. */
  id: string
  type: WebhookEventType
  created_at: string
  data: object
  /** The id of the delivery that this envelope repeats. */
  replayed_from?: number
  /** The envelope is a sample that an operator has requested. */
  test?: true
}

/** The data of every type has the event. */
export const eventIdOf = (data: object): number => (data as { event: { id: number } }).event.id

export const createEnvelope = (type: WebhookEventType, data: object, now: number): Envelope => ({
  id: randomUUID(),
  type,
  created_at: isoTime(now),
  data,
})

/** Returns an envelope with every key of its type. */
export const sampleEnvelope = (type: WebhookEventType, now: number): Envelope =>
  createEnvelope(type, sampleData(type, now), now)

export const replayEnvelope = (stored: string, originalId: number): Envelope => ({
  ...(JSON.parse(stored) as Envelope),
  id: randomUUID(),
  replayed_from: originalId,
})
