import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Clock, days } from '../platform/clock.ts'

export const guestTokenSeconds = days(365) / 1000

/** What a guest is recognised by, in one event. It opens nothing by itself. */
type GuestIdentity = { eventId: number; guestId: string }

/**
 * Signs who a guest is, for the cookie of the browser and for the header `X-Guest-Token` alike.
 * `{gid}.{expiry}.{signature}` is no JWT: neither is ever taken for the other.
 */
export function createGuestTokens(jwtSecret: string, clock: Clock) {
  const key = createHmac('sha256', jwtSecret).update('guest identity').digest()
  const signatureOf = (eventId: number, stated: string) =>
    createHmac('sha256', key).update(`${eventId}.${stated}`).digest()

  return {
    /** Lasts a year. */
    sign({ eventId, guestId }: GuestIdentity): string {
      const stated = `${guestId}.${Math.floor(clock.now() / 1000) + guestTokenSeconds}`
      return `${stated}.${signatureOf(eventId, stated).toString('base64url')}`
    },

    /** The guest id; null for what is forged, of another event or out of date. */
    read(token: string, eventId: number): string | null {
      const [, stated = '', guestId = '', expiry = '', signature = ''] =
        /^(([\w-]+)\.(\d+))\.([\w-]{43})$/.exec(token) ?? []
      const given = Buffer.from(signature, 'base64url')
      const expected = signatureOf(eventId, stated)
      const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
      return isOurs && Number(expiry) * 1000 > clock.now() ? guestId : null
    },
  }
}
