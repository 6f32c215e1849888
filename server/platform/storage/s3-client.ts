import { createHash } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3Client, type S3ClientConfig, S3ServiceException, type UploadPartCommand } from '@aws-sdk/client-s3'
import type { S3Config } from '../configuration/config.ts'
import { StorageRejected, StorageUnavailable } from './storage.ts'

export type S3Connection = ReturnType<typeof connectToS3>

const attempts = 3
const pausesMs = [150, 500]
const connectMs = 3000
/** After this time without a byte in either direction the store counts as unreachable. */
const silentMs = 5000
const longSilentMs = 600_000
/** At least the number of concurrent downloads: waiting for a free connection counts as time without a response. */
const connectionsAtOnce = 1000

/**
 * A temporary failure is retried up to two times, after pauses of about 0.15 and 0.5 seconds. A timeout is not retried,
 * because it has already taken seconds. The retries of the SDK are switched off, because they cannot send a streamed
 * body again.
 */
export function connectToS3(s3: S3Config) {
  const quick = createClient(s3, silentMs)
  const patient = createClient(s3, longSilentMs)

  /**
   * `sendRequest` makes a new request for each attempt, because a body can be sent only once. `isLong` allows
   * 10 minutes without a byte. Throws StorageUnavailable or StorageRejected, and other errors of the store unchanged.
   */
  async function send<T>(sendRequest: (client: S3Client) => Promise<T>, { isLong = false } = {}): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendRequest(isLong ? patient : quick)
      } catch (error) {
        if (isRequestError(error)) throw error
        if (attempt === attempts || !isRetryable(error)) throw toStorageError(error)
        await sleep((pausesMs[attempt - 1] ?? 0) * (0.75 + Math.random() / 2))
      }
    }
  }

  return {
    send,
    /** For signing URLs that the clients of the service use. */
    client: quick,
    bucket: s3.bucket,
    prefix: s3.prefix,
    at: (key: string) => ({ Bucket: s3.bucket, Key: s3.prefix + key }),
    copySourceOf: (key: string): string =>
      `${s3.bucket}/${s3.prefix}${key}`.split('/').map(encodeURIComponent).join('/'),
    close(): void {
      quick.destroy()
      patient.destroy()
    },
  }
}

function createClient(s3: S3Config, socketTimeout: number): S3Client {
  const agent = { keepAlive: true, maxSockets: connectionsAtOnce }
  const config: S3ClientConfig = {
    region: s3.region,
    forcePathStyle: s3.forcePathStyle,
    ...(s3.endpoint && { endpoint: s3.endpoint }),
    ...(s3.credentials && { credentials: s3.credentials }),
    // Many stores do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: 1,
    // Keeps the SDK from writing to the console about requests that are retried here.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    // With `Expect: 100-continue`, the SDK opens a new connection for each request.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: connectMs,
      socketTimeout,
      httpAgent: new HttpAgent(agent),
      httpsAgent: new HttpsAgent(agent),
    },
  }
  const client = new S3Client(config)
  addDigestOfDeletions(client)
  return client
}

/** Some stores require Content-MD5 to delete several objects, and do not support the checksum that replaced it. */
function addDigestOfDeletions(client: S3Client): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        const { body, headers } = args.request as { body: string; headers: Record<string, string> }
        if (commandName === 'DeleteObjectsCommand')
          headers['content-md5'] = createHash('md5').update(body).digest('base64')
        return next(args)
      },
    { step: 'build', name: 'digestOfDeletions' },
  )
}

export function withBodyDigest(command: UploadPartCommand, sha256: string): UploadPartCommand {
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers } = args.request as { headers: Record<string, string> }
      headers['x-amz-content-sha256'] = sha256
      return next(args)
    },
    { step: 'build', name: 'bodyDigest' },
  )
  return command
}

const retryableCodes = new Set([
  'BadDigest',
  'RequestTimeout',
  'SlowDown',
  'ServiceUnavailable',
  'InternalError',
  'OperationAborted',
])

const statusOf = (error: unknown): number | undefined =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined

const isAccessError = (error: unknown): boolean =>
  [401, 403].includes(statusOf(error) ?? 0) || (error as Error).name === 'NoSuchBucket'

export const isMissing = (error: unknown): boolean => ['NoSuchKey', 'NotFound'].includes((error as Error).name)

function isRequestError(error: unknown): boolean {
  const status = statusOf(error)
  const isClientError = status !== undefined && status >= 400 && status < 500 && status !== 429
  return isClientError && !retryableCodes.has((error as Error).name) && !isAccessError(error)
}

/** The SDK reports lost connections as TimeoutError, too, but they fail quickly, so they are retried. */
function isRetryable(error: unknown): boolean {
  const { name, code = '' } = error as NodeJS.ErrnoException
  const isTimeout = name === 'TimeoutError' && !['ECONNRESET', 'EPIPE'].includes(code)
  return !isTimeout && name !== 'CredentialsProviderError' && !isAccessError(error)
}

function toStorageError(error: unknown): StorageUnavailable {
  const { name, message } = error as Error
  if (name === 'NoSuchBucket')
    return new StorageRejected('The object store has no bucket with this name', { cause: error })
  if (isAccessError(error)) {
    return new StorageRejected(`The object store denies access to this service (${name})`, { cause: error })
  }
  return new StorageUnavailable(`Cannot reach the object store: ${message || name}`, { cause: error })
}
