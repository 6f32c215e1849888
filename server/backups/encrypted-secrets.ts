import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Secrets } from '../platform/security/secrets.ts'
import { BackupProblem, parseJson, writeDurably } from './backup-folder.ts'

/** The secrets of the instance in a backup, encrypted with a key that scrypt derives from BACKUP_PASSPHRASE. */
const fileName = 'secrets.json'

const Base64 = Type.String({ pattern: '^[A-Za-z0-9+/]+=*$', maxLength: 20_000 })
const EncryptedSecrets = Type.Object({
  format: Type.Literal(1),
  cipher: Type.Literal('aes-256-gcm'),
  scrypt: Type.Object({
    n: Type.Integer({ minimum: 2 ** 14, maximum: 2 ** 20 }),
    r: Type.Integer({ minimum: 1, maximum: 16 }),
    p: Type.Integer({ minimum: 1, maximum: 4 }),
    salt: Base64,
  }),
  nonce: Base64,
  tag: Base64,
  data: Base64,
})
type EncryptedSecrets = Static<typeof EncryptedSecrets>

/** 64 MB and a fraction of a second for each attempt to guess the passphrase. */
const strength = { n: 2 ** 16, r: 8, p: 1 }

export async function storeEncryptedSecrets(folder: string, secrets: Secrets, passphrase: string): Promise<void> {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, salt, strength), nonce)
  const data = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()])
  const encrypted: EncryptedSecrets = {
    format: 1,
    cipher: 'aes-256-gcm',
    scrypt: { ...strength, salt: salt.toString('base64') },
    nonce: nonce.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  }
  await writeDurably(join(folder, fileName), `${JSON.stringify(encrypted, null, 2)}\n`)
}

/** Throws BackupProblem if the file is missing or damaged, or if the passphrase is not the one of the backup. */
export async function readEncryptedSecrets(folder: string, passphrase: string): Promise<Secrets> {
  const file = join(folder, fileName)
  const stored = parseJson(await readFile(file, 'utf8').catch(() => ''))
  if (!Value.Check(EncryptedSecrets, stored)) throw new BackupProblem('damaged', `${file} is missing or damaged.`)
  const bytes = (text: string) => Buffer.from(text, 'base64')
  try {
    const key = await deriveKey(passphrase, bytes(stored.scrypt.salt), stored.scrypt)
    const decipher = createDecipheriv('aes-256-gcm', key, bytes(stored.nonce), { authTagLength: 16 })
    decipher.setAuthTag(bytes(stored.tag))
    const text = Buffer.concat([decipher.update(bytes(stored.data)), decipher.final()]).toString('utf8')
    return JSON.parse(text) as Secrets
  } catch {
    throw new BackupProblem(
      'wrong_passphrase',
      'BACKUP_PASSPHRASE is not the passphrase with which the backup was made.',
    )
  }
}

const runScrypt: (passphrase: string, salt: Buffer, bytes: number, options: ScryptOptions) => Promise<Buffer> =
  promisify(scrypt)

const deriveKey = (
  passphrase: string,
  salt: Buffer,
  { n, r, p }: { n: number; r: number; p: number },
): Promise<Buffer> => runScrypt(passphrase.normalize('NFC'), salt, 32, { N: n, r, p, maxmem: 256 * n * r })
