import type { FastifyBaseLogger } from 'fastify'
import type { Changes } from './background/changes.ts'
import type { Warnings } from './background/warnings.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './database/tables.ts'
import type { Encryption } from './encryption.ts'
import type { Mailer } from './mail/mailer.ts'
import type { ImageWorkers } from './media/image-workers.ts'
import type { VideoStills } from './media/video-stills.ts'
import type { Secrets } from './secrets.ts'
import type { Storage } from './storage/storage.ts'

/** What every deed is given as its first argument: the open back ends and the settled configuration. */
export type Backends = {
  config: Config
  secrets: Secrets
  encryption: Encryption
  db: Database
  storage: Storage
  imageWorkers: ImageWorkers
  videoStills: VideoStills
  mailer: Mailer
  changes: Changes
  warnings: Warnings
  clock: Clock
  log: FastifyBaseLogger
}
