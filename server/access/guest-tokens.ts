import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { type Clock, days } from '../platform/time/clock.ts'

export const guestTokenSeconds = days(365) / 1000

/** Identifies a guest in one event, without giving access to the event. */
type GuestIdentity = { eventId: number; guestId: string }

/**
 * The format is `{guest id}.{expiry in epoch seconds}.{signature}`. A guest token is not a JWT, so it does not work as
 * a session token.
 */
export function createGuestTokens(jwtSecret: string, clock: Clock) {
  const key = createSecretKey(createHmac('sha256', jwtSecret).update('guest identity').digest())
  const signatureOf = (eventId: number, payload: string) =>
    createHmac('sha256', key).update(`${eventId}.${payload}`).digest()

  return {
    sign({ eventId, guestId }: GuestIdentity): string {
      const payload = `${guestId}.${Math.floor(clock.now() / 1000) + guestTokenSeconds}`
      return `${payload}.${signatureOf(eventId, payload).toString('base64url')}`
    },

    /** Returns the guest id; null if the token is forged, expired or for another event. */
    read(token: string, eventId: number): string | null {
      const [, payload = '', guestId = '', expiry = '', signature = ''] =
        /^(([\w-]+)\.(\d+))\.([\w-]{43})$/.exec(token) ?? []
      const given = Buffer.from(signature, 'base64url')
      const expected = signatureOf(eventId, payload)
      const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
      return isOurs && Number(expiry) * 1000 > clock.now() ? guestId : null
    },
  }
}
