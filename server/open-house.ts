import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { createAccess } from './access/access.ts'
import { migrations } from './migrations/migrations.ts'
import type { Backends } from './platform/backends.ts'
import { Changes } from './platform/background/changes.ts'
import { Gauges } from './platform/background/gauges.ts'
import { Warnings } from './platform/background/warnings.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { type Config, ConfigProblems } from './platform/config.ts'
import { openDatabase } from './platform/database/open-database.ts'
import { createEncryption } from './platform/encryption.ts'
import { createMailer } from './platform/mail/mailer.ts'
import type { FfmpegLimits } from './platform/media/caged-ffmpeg.ts'
import { createImageWorkers } from './platform/media/image-workers.ts'
import { createVideoStills } from './platform/media/video-stills.ts'
import { createNameResolver, type ResolveName } from './platform/resolve-name.ts'
import { loadSecrets } from './platform/secrets.ts'
import { createDiskStorage } from './platform/storage/disk-storage.ts'
import type { Storage } from './platform/storage/storage.ts'
import type { House } from './settings/house.ts'
import { createSettings } from './settings/settings.ts'

export type OpenHouse = { house: House; close: () => Promise<void> }

/** What a test may hand in at the true edges. */
export type Edges = {
  clock?: Clock
  wrapStorage?: (storage: Storage) => Storage
  /** How long image workers have had nothing to do before pictures are made that nobody has asked for yet. */
  warmAfterMs?: number
  /** What ffmpeg may take for one video. */
  videoLimits?: FfmpegLimits
  resolve?: ResolveName
}

/** Opens all back ends of one process: the service, or one command of the CLI. */
export async function openHouse(config: Config, log: FastifyBaseLogger, edges: Edges = {}): Promise<OpenHouse> {
  const mediaRoot = join(config.dataDir, 'media')
  await mkdir(mediaRoot, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigProblems([`DATA_DIR is not a folder that can be written to (${error.code})`])
  })
  const secrets = await loadSecrets(config)
  const storage = createDiskStorage(mediaRoot)
  const database = await openDatabase(join(config.dataDir, 'proofroom.db'), migrations)
  const changes = new Changes()
  database.onForeignCommit(() => changes.tellAll())

  const clock = edges.clock ?? systemClock

  const backends: Backends = {
    config,
    secrets,
    encryption: createEncryption(secrets.encryptionKey, config.encryptionKeyOld),
    db: database.db,
    storage: edges.wrapStorage?.(storage) ?? storage,
    imageWorkers: createImageWorkers(),
    videoStills: createVideoStills(config, edges.videoLimits),
    mailer: createMailer(config),
    resolve: edges.resolve ?? createNameResolver(),
    changes,
    warnings: new Warnings(clock),
    gauges: new Gauges(),
    clock,
    log,
  }
  return {
    house: { ...backends, access: createAccess(backends), settings: createSettings(backends) },
    async close() {
      backends.imageWorkers.close()
      backends.videoStills.close()
      await storage.close()
      await database.close()
    },
  }
}
