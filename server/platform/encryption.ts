import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Keeps small secrets in the database so that the database alone does not give them away. */
export type Encryption = {
  /** What `purpose` names, such as `mail`, must be the same when it is opened: a value cannot be moved elsewhere. */
  seal: (text: string, purpose: string) => string
  /** Throws when the value was sealed with another key or for another purpose, or was changed since. */
  open: (sealed: string, purpose: string) => string
  /** The same text under the present key; null when it lies under that one. Throws what `open` throws. */
  reseal: (sealed: string, purpose: string) => string | null
}

type Key = { id: string; bytes: Buffer }

const nonceBytes = 12
const tagBytes = 16

/** Thrown for a value of another ENCRYPTION_KEY: that of another instance, or one that was lost. */
export class KeyUnknown extends Error {
  constructor() {
    super('The value was encrypted with a key that is not known here')
    this.name = 'KeyUnknown'
  }
}

/** AES-256-GCM; what was sealed with the older key still opens. Made once, at the start. */
export function createEncryption(encryptionKey: string, olderKey: string | null = null): Encryption {
  const current = keyOf(encryptionKey)
  const keys = new Map([...(olderKey === null ? [] : [keyOf(olderKey)]), current].map((key) => [key.id, key]))

  const encryption: Encryption = {
    seal(text, purpose) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current.bytes, nonce).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${current.id}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },

    open(sealed, purpose) {
      const [id = '', payload = ''] = sealed.split('.')
      const key = keys.get(id)
      if (!key) throw new KeyUnknown()
      const bytes = Buffer.from(payload, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      const body = decipher.update(bytes.subarray(nonceBytes + tagBytes))
      return Buffer.concat([body, decipher.final()]).toString('utf8')
    },

    reseal(sealed, purpose) {
      const text = encryption.open(sealed, purpose)
      return sealed.startsWith(`${current.id}.`) ? null : encryption.seal(text, purpose)
    },
  }
  return encryption
}

/** Tells one ENCRYPTION_KEY from another, and nothing about it. */
export const keyIdOf = (encryptionKey: string): string => keyOf(encryptionKey).id

/** The id stands in front of every value and says under which key it lies; it tells nothing about the key. */
function keyOf(secret: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'proofroom encryption', 32))
  return { id: createHash('sha256').update('key id').update(bytes).digest('hex').slice(0, 8), bytes }
}
