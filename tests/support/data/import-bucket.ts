import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { type BucketEnvironment, createS3Client } from '../storage/test-bucket.ts'

/** The bucket of a service for a client that adds files to import. Keys are below its prefix. */
export function openImportBucket(environment: BucketEnvironment) {
  const client = createS3Client(environment)
  const { S3_BUCKET: Bucket, S3_PREFIX = '' } = environment
  const at = (key: string) => ({ Bucket, Key: S3_PREFIX + key })
  return {
    put: (key: string, Body: Uint8Array | string) => client.send(new PutObjectCommand({ ...at(key), Body })),
    remove: (key: string) => client.send(new DeleteObjectCommand(at(key))),
    async read(key: string): Promise<Buffer> {
      const { Body } = await client.send(new GetObjectCommand(at(key)))
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    },
    /** Returns the keys of files to import and of imported and rejected files. */
    async keys(): Promise<string[]> {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: S3_PREFIX }))
      const keys = Contents.map(({ Key = '' }) => Key.slice(S3_PREFIX.length))
      return keys.filter((key) => /^(imports|imported|refused)\//.test(key)).sort()
    },
    close: () => client.destroy(),
  }
}
