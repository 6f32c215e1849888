import { randomBytes } from 'node:crypto'
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'

export type BucketEnvironment = { S3_BUCKET: string } & Record<string, string>

const names = ['ENDPOINT', 'REGION', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY', 'FORCE_PATH_STYLE']

/** The prefix of the names of all buckets of this run. */
const getNamePrefix = (): string => `proofroom-test-${process.env.TEST_RUN}-`

/** Creates a bucket in the store of TEST_S3_ENDPOINT. Returns null without a store. */
export async function createTestBucket(): Promise<BucketEnvironment | null> {
  const store = readStoreEnvironment()
  if (!store) return null
  const environment = { ...store, S3_BUCKET: `${getNamePrefix()}${randomBytes(4).toString('hex')}` }
  const client = createS3Client(environment)
  await client.send(new CreateBucketCommand({ Bucket: environment.S3_BUCKET })).finally(() => client.destroy())
  return environment
}

function readStoreEnvironment(): Record<string, string> | null {
  if (!process.env.TEST_S3_ENDPOINT) return null
  const entries = names.flatMap((name) => {
    const value = process.env[`TEST_S3_${name}`]
    return value ? [[`S3_${name}`, value]] : []
  })
  return Object.fromEntries(entries)
}

export const createS3Client = (environment: Record<string, string>): S3Client =>
  new S3Client({
    endpoint: environment.S3_ENDPOINT ?? '',
    region: environment.S3_REGION ?? 'us-east-1',
    credentials: {
      accessKeyId: environment.S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: environment.S3_SECRET_ACCESS_KEY ?? '',
    },
    forcePathStyle: environment.S3_FORCE_PATH_STYLE === 'true',
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })

/**
 * Removes the buckets of this run, except from a temporary store (TEST_S3_TEMPORARY): thousands of files are deleted
 * with a request each, which takes a minute.
 */
export async function removeTestBuckets(): Promise<void> {
  const store = readStoreEnvironment()
  if (!store || process.env.TEST_S3_TEMPORARY) return
  const client = createS3Client(store)
  const { Buckets = [] } = await client.send(new ListBucketsCommand({})).finally(() => client.destroy())
  const ours = Buckets.flatMap(({ Name }) => (Name?.startsWith(getNamePrefix()) ? [Name] : []))
  for (const S3_BUCKET of ours) await removeTestBucket({ ...store, S3_BUCKET })
}

async function removeTestBucket(environment: BucketEnvironment): Promise<void> {
  const client = createS3Client(environment)
  const Bucket = environment.S3_BUCKET
  try {
    for (;;) {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, MaxKeys: 40 }))
      if (Contents.length === 0) break
      await Promise.all(Contents.map(({ Key }) => client.send(new DeleteObjectCommand({ Bucket, Key }))))
    }
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
    for (const { Key, UploadId } of Uploads)
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    await client.send(new DeleteBucketCommand({ Bucket }))
  } finally {
    client.destroy()
  }
}
