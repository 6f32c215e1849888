/** A value for the header `Idempotency-Key`. Browsers make UUIDs only for pages that come over https. */
export function onceKey(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID()
  const bytes = (crypto as Crypto).getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
