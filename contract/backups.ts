import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from './shapes.ts'

const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** A backup is called after the moment of its rows. */
export const BackupName = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d\\.\\d{3}Z$' })

/** `manifest.json`, written last: a backup that has one is complete. */
export const BackupManifest = Type.Object({
  format: Type.Literal(1),
  name: BackupName,
  created_at: Timestamp,
  /** Of the program that has made it. */
  version: Type.String({ maxLength: 100 }),
  database: Type.Object({
    /** Of `proofroom.db`, a SQLite file wherever the rows came from. */
    sha256: Sha256,
    size_bytes: Count,
    rows: Type.Record(Type.String({ maxLength: 100 }), Count, { description: 'How many there are in each table' }),
  }),
  files: Type.Object({
    /** Of `files.jsonl`: one line for each file, each of them a BackupFile. */
    sha256: Sha256,
    count: Count,
    size_bytes: Count,
    deleted: Count,
    missing: Count,
    damaged: Count,
  }),
  /** Which ENCRYPTION_KEY the instance had; nothing about the key itself. */
  encryption_key_id: Type.String({ pattern: '^[0-9a-f]{8}$' }),
  has_secrets: Type.Boolean(),
})
export type BackupManifest = Static<typeof BackupManifest>

/**
 * `kept`: its content is in the backup. `damaged`: so it is, but it was not what the row says. Not in the backup are
 * `deleted` ones, whose photo was deleted or replaced while the backup was being made, and `missing` ones, which the
 * instance had lost.
 */
export const fileStates = ['kept', 'damaged', 'deleted', 'missing'] as const

/** One file that rows name. */
export const BackupFile = Type.Object({
  key: Type.String({ minLength: 1, maxLength: 500 }),
  size: Count,
  /** The tree hash, as `content_hash` of photos has it: its content lies under that name. */
  hash: Nullable(Sha256),
  state: OneOf(fileStates),
})
export type BackupFile = Static<typeof BackupFile>
