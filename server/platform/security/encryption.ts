import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** Encrypts small secrets, so that a copy of the database alone does not reveal them. */
export type Encryption = {
  /** Decryption needs the same `purpose`, such as `mail credential`: a value in another column cannot be decrypted. */
  encrypt: (text: string, purpose: string) => string
  /** Throws for another key or purpose, and for a value that was changed. */
  decrypt: (encrypted: string, purpose: string) => string
  /** Returns the text encrypted with the current key, or null when that key was used already. Throws like `decrypt`. */
  reencrypt: (encrypted: string, purpose: string) => string | null
}

/** With a KeyObject, Node.js creates a cipher in a tenth of the time that it takes with the bytes. */
type Key = { id: string; secret: KeyObject }

const nonceBytes = 12
const tagBytes = 16

export class UnknownKeyError extends Error {
  constructor() {
    super('The value was encrypted with an unknown key')
    this.name = 'UnknownKeyError'
  }
}

/** Uses AES-256-GCM. `olderKey` only decrypts. */
export function createEncryption(encryptionKey: string, olderKey: string | null = null): Encryption {
  const current = deriveKey(encryptionKey)
  const keys = new Map([...(olderKey === null ? [] : [deriveKey(olderKey)]), current].map((key) => [key.id, key]))

  const encryption: Encryption = {
    encrypt(text, purpose) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', current.secret, nonce).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${current.id}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },

    decrypt(encrypted, purpose) {
      const [id = '', payload = ''] = encrypted.split('.')
      const key = keys.get(id)
      if (!key) throw new UnknownKeyError()
      const bytes = Buffer.from(payload, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key.secret, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      const body = decipher.update(bytes.subarray(nonceBytes + tagBytes))
      return Buffer.concat([body, decipher.final()]).toString('utf8')
    },

    reencrypt(encrypted, purpose) {
      const text = encryption.decrypt(encrypted, purpose)
      return encrypted.startsWith(`${current.id}.`) ? null : encryption.encrypt(text, purpose)
    },
  }
  return encryption
}

export const computeKeyId = (encryptionKey: string): string => deriveKey(encryptionKey).id

/** The id is the prefix of every encrypted value. The key cannot be computed from the id. */
function deriveKey(secret: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'proofroom encryption', 32))
  const id = createHash('sha256').update('key id').update(bytes).digest('hex').slice(0, 8)
  return { id, secret: createSecretKey(bytes) }
}
