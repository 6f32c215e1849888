import type { StoredFile } from './stored-files.ts'
import type { BucketEnvironment } from './test-bucket.ts'

/** Matches the name that `listBucketFiles` gives to an unfinished upload, whose object does not exist yet. */
const unfinishedName = /^parted\/(.*)\?uploadId=(.*)$/

export function createBucketFile(environment: BucketEnvironment, name: string): StoredFile {
  const Bucket = environment.S3_BUCKET
  const Key = `${environment.S3_PREFIX}${name}`
  const file: StoredFile = {
    read: () =>
      withS3(environment, async ({ client, GetObjectCommand }) => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
        return Buffer.from((await Body?.transformToByteArray()) ?? [])
      }),
    write: (Body) =>
      withS3(environment, ({ client, PutObjectCommand }) => client.send(new PutObjectCommand({ Bucket, Key, Body }))),
    async resize(sizeBytes) {
      const bytes = await file.read()
      await file.write(Buffer.concat([bytes, Buffer.alloc(Math.max(0, sizeBytes - bytes.length))], sizeBytes))
    },
    remove: () =>
      withS3(environment, async ({ client, DeleteObjectCommand, AbortMultipartUploadCommand }) => {
        const [, key, UploadId] = unfinishedName.exec(name) ?? []
        if (UploadId === undefined) await client.send(new DeleteObjectCommand({ Bucket, Key }))
        else {
          const unfinished = { Bucket, Key: `${environment.S3_PREFIX}files/${key}`, UploadId }
          await client.send(new AbortMultipartUploadCommand(unfinished))
        }
      }),
    // A bucket has no folders. An object whose key is below the name is the closest equivalent.
    async replaceWithFolder() {
      await file.remove()
      await createBucketFile(environment, `${name}/inside`).write('')
    },
    lock: async () => undefined,
    copyTo: (names) =>
      withS3(environment, async ({ client, CopyObjectCommand }) => {
        for (const copy of names) {
          const to = `${environment.S3_PREFIX}${copy}`
          await client.send(new CopyObjectCommand({ Bucket, Key: to, CopySource: `${Bucket}/${Key}` }))
        }
      }),
  }
  return file
}

/** Returns the names of all files, including unfinished uploads. */
export function listBucketFiles(environment: BucketEnvironment): Promise<string[]> {
  const { S3_BUCKET: Bucket, S3_PREFIX: Prefix = '' } = environment
  const nameOf = (key = '') => key.slice(Prefix.length)
  return withS3(environment, async ({ client, ListObjectsV2Command, ListMultipartUploadsCommand }) => {
    const names: string[] = []
    for (let ContinuationToken: string | undefined, isLast = false; !isLast; ) {
      const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
      names.push(...(page.Contents ?? []).map(({ Key }) => nameOf(Key)))
      ContinuationToken = page.NextContinuationToken
      isLast = ContinuationToken === undefined
    }
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }))
    const unfinished = Uploads.map(({ Key, UploadId }) => `${nameOf(Key)}?uploadId=${UploadId}`)
    return [...names, ...unfinished.map((name) => name.replace('files/', 'parted/'))]
  })
}

type S3 = typeof import('@aws-sdk/client-s3') & { client: import('@aws-sdk/client-s3').S3Client }

let connected: Promise<S3> | null = null

/** Uses one client that keeps its connections. Imports the SDK here, because runs without a bucket do not need it. */
async function withS3<T>(environment: BucketEnvironment, use: (s3: S3) => Promise<T>): Promise<T> {
  connected ??= Promise.all([import('@aws-sdk/client-s3'), import('./test-bucket.ts')]).then(
    ([s3, { createS3Client: connect }]) => ({
      ...s3,
      client: connect(environment),
    }),
  )
  return use(await connected)
}
