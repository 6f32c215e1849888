import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { type ServiceProcess, startByNode } from '../support/service/service-process.ts'
import { bucketForTest } from '../support/storage/s3-storage.ts'

const password = 'correct-horse-battery'
const environment = { ADMIN_PASSWORD: password, LOG_LEVEL: 'error' }

async function start(options: Parameters<typeof startByNode>[0]): Promise<ServiceProcess> {
  const service = await startByNode(options)
  onTestFinished(() => service.end('SIGKILL'))
  return service
}

const severalProcesses = { timeout: 300_000 }

const migrate = (dataDir: string, to: string, variables: Record<string, string>) =>
  promisify(execFile)(process.execPath, ['bin/proofroom.js', 'migrate-storage', '--to', to], {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, ...variables },
  })

async function apiToken(url: string): Promise<string> {
  const { body } = await createClient(url).post('/api/auth/admin/login', { username: 'admin', password })
  const made = await createClient(url, body.token).post('/api/admin/api-tokens', { name: 'test', scopes: ['admin'] })
  return made.body.token
}

test('a service moves to a bucket while it is running, and back to its folder', severalProcesses, async () => {
  const [dataDir, bucket] = [await temporaryFolder(), await bucketForTest()]
  const media = join(dataDir, 'media/files')
  const onDisk = await start({ dataDir, environment })
  const token = await apiToken(onDisk.url)
  const api = createClient(onDisk.url, token)
  const event = await createEvent(api)
  const ids = await uploadPhotos(api, event.id, 3)
  const downloadAll = (url: string) =>
    Promise.all(ids.map((id) => createClient(url, token).get(`/api/v1/events/${event.id}/photos/${id}/download`)))

  expect((await migrate(dataDir, 's3', bucket)).stdout).toContain('this run copied 6 of them')
  ids.push(...(await uploadPhotos(api, event.id, 1)))
  const before = (await downloadAll(onDisk.url)).map(({ bytes }) => bytes)
  await onDisk.end('SIGTERM')
  expect((await migrate(dataDir, 's3', bucket)).stdout).toMatch(/^Verified 8 files; this run copied 2 of them/m)

  await rm(media, { recursive: true })
  const inBucket = await start({ dataDir, environment: { ...environment, ...bucket } })
  expect((await downloadAll(inBucket.url)).map(({ bytes }) => bytes)).toEqual(before)
  await inBucket.end('SIGTERM')

  expect((await migrate(dataDir, 'disk', bucket)).stdout).toContain('this run copied 8 of them')
  const back = await start({ dataDir, environment })
  expect((await downloadAll(back.url)).map(({ bytes }) => bytes)).toEqual(before)
  await back.end('SIGTERM')
})

test('it names a missing bucket or database', severalProcesses, async () => {
  const dataDir = await temporaryFolder()
  const appError = (stderr: string) => ({ code: 1, stderr: expect.stringContaining(stderr) })
  await expect(migrate(dataDir, 's3', {})).rejects.toMatchObject(appError('S3_BUCKET'))
  await expect(migrate(dataDir, 's3', { S3_BUCKET: 'some' })).rejects.toMatchObject(appError('no database'))
  await expect(migrate(dataDir, 'tape', {})).rejects.toMatchObject({ code: 2 })
})
