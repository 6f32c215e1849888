import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { createAccess } from './access/access.ts'
import type { MaxRequests } from './access/limits/rate-limits.ts'
import { migrations } from './migrations/migrations.ts'
import { Changes } from './platform/background/changes.ts'
import { Gauges } from './platform/background/gauges.ts'
import { createSharedWarnings, Warnings } from './platform/background/warnings.ts'
import { type Config, ConfigProblems } from './platform/configuration/config.ts'
import { type DatabaseLocation, openDatabase } from './platform/database/open-database.ts'
import { DatabaseEmpty, type OpenDatabase } from './platform/database/opened-database.ts'
import { isUnfinishedCopy } from './platform/database/unfinished-copy.ts'
import { createMailer } from './platform/mail/smtp-mailer.ts'
import { ImageWorkers } from './platform/media/image-workers.ts'
import type { ProgramLimits } from './platform/media/video/run-limited.ts'
import { createVideoStills } from './platform/media/video/video-stills.ts'
import { createNameResolver, type ResolveName } from './platform/network/resolve-name.ts'
import type { PlatformContext } from './platform/platform-context.ts'
import { createEncryption } from './platform/security/encryption.ts'
import { createPasswords, type Passwords } from './platform/security/passwords.ts'
import { loadSecrets } from './platform/security/secrets.ts'
import { openStorage } from './platform/storage/open-storage.ts'
import type { Storage } from './platform/storage/storage.ts'
import { type Clock, systemClock } from './platform/time/clock.ts'
import { registries } from './registries.ts'
import type { AppContext } from './settings/app-context.ts'
import { createSettings } from './settings/settings.ts'

export type OpenContext = { ctx: AppContext; close: () => Promise<void> }

export type ContextOverrides = {
  clock?: Clock
  wrapStorage?: (storage: Storage) => Storage
  /** How long image workers must be idle before renditions are made in advance. */
  warmAfterMs?: number
  videoLimits?: ProgramLimits
  resolve?: ResolveName
  passwords?: Passwords
  maxRequests?: MaxRequests
  /** Workers that several contexts share. `close` of this context does not close these workers. */
  imageWorkers?: ImageWorkers
  /** False: throws SchemaBehind for a database of an older version instead of migrating it. */
  migrates?: boolean
  /** Interval of the import scan, and how long a file must be unchanged before it is imported. */
  importEveryMs?: number
  /** See `OpenOptions`. */
  reserveBytes?: number
}

const sqliteName = 'proofroom.db'

/** This file is beside the SQLite file if its rows have been moved to PostgreSQL. */
export const getMovedMark = (file: string): string => `${file}.moved`

export const databaseLocation = ({ databaseUrl, dataDir }: Config): DatabaseLocation =>
  databaseUrl === null ? { file: join(dataDir, sqliteName) } : { url: databaseUrl }

/** Opens everything that the service or a CLI command needs. */
export async function createAppContext(
  config: Config,
  log: Logger,
  overrides: ContextOverrides = {},
): Promise<OpenContext> {
  const storage = await openStorage(config)
  const location = databaseLocation(config)
  const creates = 'file' in location || !existsSync(join(config.dataDir, sqliteName))
  const { migrates = true, reserveBytes } = overrides
  const options = { migrates, creates, ...(reserveBytes !== undefined && { reserveBytes }) }
  const database = await openDatabase(location, migrations, options).catch(throwNotMoved)
  if (database.kind === 'postgres') await rejectUnfinished(database)
  else if ('file' in location) await rejectMoved(database, location.file)
  const secrets = await loadSecrets(config, database)
  const changes = new Changes()
  database.follow(changes, log)

  const clock = overrides.clock ?? systemClock
  const encryption = createEncryption(secrets.encryptionKey, config.encryptionKeyOld)
  const settings = createSettings({ db: database.db, changes, clock, config })
  const imageWorkers = overrides.imageWorkers ?? new ImageWorkers()

  const platform: PlatformContext = {
    config,
    secrets,
    encryption,
    database,
    db: database.db,
    storage: overrides.wrapStorage?.(storage) ?? storage,
    imageWorkers,
    videoStills: createVideoStills(config, overrides.videoLimits),
    mailer: createMailer({ config, db: database.db, encryption }, settings.publicUrl),
    passwords: overrides.passwords ?? createPasswords(),
    resolve: overrides.resolve ?? createNameResolver(),
    changes,
    warnings: new Warnings(clock, createSharedWarnings(database, log)),
    gauges: new Gauges(),
    clock,
    log,
  }
  return {
    ctx: { ...platform, ...registries, access: createAccess(platform, overrides.maxRequests), settings },
    async close() {
      if (!overrides.imageWorkers) imageWorkers.close()
      platform.videoStills.close()
      await storage.close()
      await database.close()
    },
  }
}

/** It would be a new instance beside an existing SQLite database: DATABASE_URL was set before the rows are moved. */
function throwNotMoved(error: unknown): never {
  if (!(error instanceof DatabaseEmpty)) throw error
  throw new ConfigProblems([
    'DATABASE_URL names an empty database, but DATA_DIR has the data of an instance. Move them: proofroom migrate-database. To begin a new instance, move proofroom.db to another folder',
  ])
}

/** Rows that are added to the old file after a move would be lost. */
async function rejectMoved({ close }: OpenDatabase, file: string): Promise<void> {
  const mark = getMovedMark(file)
  if (!existsSync(mark)) return
  await close()
  throw new ConfigProblems([
    `The rows of ${file} were moved to PostgreSQL: set DATABASE_URL. To use the file again, without what was added since, delete ${mark}`,
  ])
}

async function rejectUnfinished({ db, close }: OpenDatabase): Promise<void> {
  if (!(await isUnfinishedCopy(db))) return
  await close()
  throw new ConfigProblems([
    'DATABASE_URL names an incomplete database: run the interrupted migrate-database or restore command again',
  ])
}
