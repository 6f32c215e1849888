/** Returns 32 hexadecimal digits. `crypto.randomUUID` exists only in secure contexts. */
export const createRandomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
