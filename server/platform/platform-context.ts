import type { Logger } from 'pino'
import type { Changes } from './background/changes.ts'
import type { Gauges } from './background/gauges.ts'
import type { Warnings } from './background/warnings.ts'
import type { Config } from './configuration/config.ts'
import type { OpenDatabase } from './database/opened-database.ts'
import type { Database } from './database/tables.ts'
import type { Mailer } from './mail/mailer.ts'
import type { ImageWorkers } from './media/image-workers.ts'
import type { VideoStills } from './media/video/video-stills.ts'
import type { ResolveName } from './network/resolve-name.ts'
import type { Encryption } from './security/encryption.ts'
import type { Passwords } from './security/passwords.ts'
import type { Secrets } from './security/secrets.ts'
import type { Storage } from './storage/storage.ts'
import type { Clock } from './time/clock.ts'

/** The first argument of functions that need only the platform. */
export type PlatformContext = {
  config: Config
  secrets: Secrets
  encryption: Encryption
  database: OpenDatabase
  db: Database
  storage: Storage
  imageWorkers: ImageWorkers
  videoStills: VideoStills
  mailer: Mailer
  passwords: Passwords
  resolve: ResolveName
  changes: Changes
  warnings: Warnings
  gauges: Gauges
  clock: Clock
  log: Logger
}
