import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../shapes.ts'

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** The name of a backup is the UTC time at which it was started. */
export const BackupName = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.\\d{3}Z$' })

/** `manifest.json` is written last, so a backup with a manifest is complete. */
export const BackupManifest = Type.Object({
  format: Type.Literal(1),
  name: BackupName,
  created_at: Timestamp,
  version: Type.String({ maxLength: 100 }),
  database: Type.Object({
    /** The hash of `proofroom.db`, which is a SQLite file even for an instance with PostgreSQL. */
    sha256: Sha256,
    size_bytes: Count,
    rows: Type.Record(Type.String({ maxLength: 100 }), Count, { description: 'Number of rows in each table' }),
  }),
  files: Type.Object({
    /** The hash of `files.jsonl`, which has one BackupFile per line. */
    sha256: Sha256,
    count: Count,
    size_bytes: Count,
    deleted: Count,
    missing: Count,
    damaged: Count,
  }),
  /** Identifies the ENCRYPTION_KEY of the instance without revealing the key. */
  encryption_key_id: Type.String({ pattern: '^[0-9a-f]{8}$' }),
  /** Whether `secrets/` has the secrets of the instance in plain text. */
  has_secrets: Type.Boolean(),
  /** Whether `secrets.json` has them, encrypted with BACKUP_PASSPHRASE. Earlier versions do not write this. */
  has_encrypted_secrets: Type.Optional(Type.Boolean()),
})
export type BackupManifest = Static<typeof BackupManifest>

/**
 * `kept`: the backup has the correct content. `damaged`: its content has another size or hash than the database row.
 * `deleted`: the file was deleted or replaced during the backup. `missing`: the instance had lost the file.
 */
const fileStates = ['kept', 'damaged', 'deleted', 'missing'] as const

export const BackupFile = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 500 }),
  size: Count,
  /** The hash of the content, which is also the file name in the backup; null if the backup has no content. */
  hash: Nullable(Sha256),
  state: OneOf(fileStates),
})
export type BackupFile = Static<typeof BackupFile>
