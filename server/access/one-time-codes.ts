import { Secret, TOTP } from 'otpauth'

/** As every authenticator app has it: six digits of SHA-1 that change every 30 seconds (RFC 6238). */
const stepMs = 30_000
const settings = { algorithm: 'SHA1', digits: 6, period: stepMs / 1000 }

/** 160 bits, in base32. */
export const newSecret = (): string => new Secret({ size: 20 }).base32

/** What an authenticator reads from a QR code; `label` tells the account among others. */
export const otpauthUrl = (secret: string, label: string): string =>
  new TOTP({ ...settings, issuer: 'Proofroom', label, secret: Secret.fromBase32(secret) }).toString()

/** Which step of time a code belongs to: the present one, or one before or after it. Null: none. Compares in constant time. */
export function stepOf(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const totp = new TOTP({ ...settings, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? null : Math.floor(now / stepMs) + delta
}
