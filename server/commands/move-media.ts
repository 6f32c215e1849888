import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { databaseLocation } from '../create-app-context.ts'
import { migrations } from '../migrations/migrations.ts'
import type { Config, S3Config } from '../platform/config.ts'
import { openDatabase } from '../platform/database/open-database.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
import { MoveProblem } from './move-problem.ts'
import { type MoveResult, moveStorage, type StorageMove } from './move-storage.ts'

/** Copies between DATA_DIR and the configured bucket. Throws MoveProblem and what `moveStorage` throws. */
export async function moveMedia(
  config: Config,
  to: 'disk' | 's3',
  onProgress: NonNullable<StorageMove['onProgress']>,
): Promise<MoveResult> {
  const { s3, dataDir } = config
  if (s3 === null) throw new MoveProblem('Name the bucket with S3_BUCKET, and how to reach it with its like.')
  const place = databaseLocation(config)
  if ('file' in place && !existsSync(place.file)) throw new MoveProblem(`There is no database in ${dataDir}.`)
  const [disk, bucket] = [await openStorage({ s3: null, dataDir }), await openStorage({ s3, dataDir })]
  const { db, close } = await openDatabase(place, migrations)
  const [source, target] = to === 's3' ? [disk, bucket] : [bucket, disk]
  const folder = join(dataDir, 'moved-files', to === 's3' ? hashBucketId(s3) : 'disk')
  return moveStorage({ db, source, target, folder, onProgress }).finally(() =>
    Promise.all([close(), disk.close(), bucket.close()]),
  )
}

const hashBucketId = ({ endpoint, bucket, prefix }: S3Config): string =>
  createHash('sha256')
    .update(JSON.stringify([endpoint, bucket, prefix]))
    .digest('hex')
    .slice(0, 16)
