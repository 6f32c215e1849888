import { onTestFinished } from 'vitest'
import { readConfig } from '../../../server/platform/configuration/config.ts'
import { createS3Storage } from '../../../server/platform/storage/s3-storage.ts'
import type { Storage } from '../../../server/platform/storage/storage.ts'
import { startTcpProxy } from '../network/tcp-proxy.ts'
import { createMissingError, objectStore } from '../run/requirements.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { type BucketEnvironment, createTestBucket } from './test-bucket.ts'

let bucket: Promise<BucketEnvironment> | null = null
let lastPrefix = 0

/** Returns a new prefix in a bucket that is removed after the run. Throws without an S3 store. */
export async function bucketForTest(): Promise<BucketEnvironment> {
  bucket ??= createTestBucket().then((made) => {
    if (!made) throw createMissingError(objectStore)
    return made
  })
  return { ...(await bucket), S3_PREFIX: `test-${++lastPrefix}/` }
}

/**
 * Returns a proxy to the store, and the environment of one bucket twice: `reached` uses the proxy, `direct` does not.
 */
export async function bucketBehindProxy() {
  const direct = await bucketForTest()
  const { hostname, port } = new URL(direct.S3_ENDPOINT ?? '')
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) })
  onTestFinished(proxy.close)
  return { proxy, direct, reached: { ...direct, S3_ENDPOINT: `http://127.0.0.1:${proxy.port}` } }
}

export async function openS3ForTest(environment: Record<string, string>, keysPerPage?: number): Promise<Storage> {
  const { s3 } = readConfig({ ...environment })
  if (!s3) throw new Error('No bucket is named')
  const storage = createS3Storage(s3, await temporaryFolder(), keysPerPage)
  onTestFinished(storage.close)
  return storage
}

export const s3StorageForTest = async (keysPerPage?: number): Promise<Storage> =>
  openS3ForTest(await bucketForTest(), keysPerPage)
