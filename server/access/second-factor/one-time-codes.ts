import { Secret, TOTP } from 'otpauth'

/** The defaults of authenticator apps (RFC 6238). */
const stepMs = 30_000
const settings = { algorithm: 'SHA1', digits: 6, period: stepMs / 1000 }

/** Returns 160 random bits in base32. */
export const createSecret = (): string => new Secret({ size: 20 }).base32

/** Returns the content of the QR code for authenticator apps. `label` names the account there. */
export const otpauthUrl = (secret: string, label: string): string =>
  new TOTP({ ...settings, issuer: 'Proofroom', label, secret: Secret.fromBase32(secret) }).toString()

/** Accepts the codes of the previous, the current and the next time step. Returns the step of the code, or null. */
export function findTimeStep(secret: string, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const totp = new TOTP({ ...settings, secret: Secret.fromBase32(secret) })
  const delta = totp.validate({ token: code, timestamp: now, window: 1 })
  return delta === null ? null : Math.floor(now / stepMs) + delta
}
