import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { signInAt } from '../support/service/killable-service.ts'
import { runToEnd } from '../support/service/proofroom-command.ts'
import { startByNode } from '../support/service/service-process.ts'
import { adminPassword } from '../support/service/test-service.ts'
import { bucketForTest } from '../support/storage/s3-storage.ts'

const severalProcesses = { timeout: 300_000 }

const migrate = (dataDir: string, to: string, variables: Record<string, string>) =>
  runToEnd(['migrate-storage', '--to', to], { DATA_DIR: dataDir, ...variables })

test('a service moves to a bucket while it is running, and back to its folder', severalProcesses, async () => {
  const [dataDir, bucket] = [await temporaryFolder(), await bucketForTest()]
  const start = async (variables = {}) => {
    const environment = { ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'error', ...variables }
    const service = await startByNode({ dataDir, environment })
    onTestFinished(() => service.end('SIGKILL'))
    return service
  }
  const onDisk = await start()
  const { api } = await signInAt(onDisk.url)
  const event = await createEvent(api, { keep_versions: true })
  const ids = await uploadPhotos(api, event.id, 3)
  await api.upload(event.id, await jpeg({ seed: 9 }), { fields: { replaces_photo_id: ids[0] ?? 0 } })
  const downloadAll = async (url: string) => {
    const client = createClient(url, api.token)
    const photo = (id: number | undefined) => `/api/v1/events/${event.id}/photos/${id}`
    const paths = [...ids.map((id) => `${photo(id)}/download`), `${photo(ids[0])}/preview?version=1`]
    const responses = await Promise.all(paths.map((path) => client.get(path)))
    expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 200))
    return responses.map(({ bytes }) => bytes)
  }

  expect((await migrate(dataDir, 's3', bucket)).stdout).toContain('this run copied 8 of them')
  ids.push(...(await uploadPhotos(api, event.id, 1)))
  const before = await downloadAll(onDisk.url)
  await onDisk.end('SIGTERM')
  expect((await migrate(dataDir, 's3', bucket)).stdout).toMatch(/^Verified 11 files; this run copied 3 of them/m)

  await rm(join(dataDir, 'media/files'), { recursive: true })
  const inBucket = await start(bucket)
  expect(await downloadAll(inBucket.url)).toEqual(before)
  await inBucket.end('SIGTERM')

  expect((await migrate(dataDir, 'disk', bucket)).stdout).toContain('this run copied 11 of them')
  const back = await start()
  expect(await downloadAll(back.url)).toEqual(before)
})

test('it names a missing bucket or database', severalProcesses, async () => {
  const dataDir = await temporaryFolder()
  const failing = (stderr: string) => ({ code: 1, stderr: expect.stringContaining(stderr) })
  expect(await migrate(dataDir, 's3', {})).toMatchObject(failing('S3_BUCKET'))
  expect(await migrate(dataDir, 's3', { S3_BUCKET: 'some' })).toMatchObject(failing('no database'))
  expect((await migrate(dataDir, 'tape', {})).code).toBe(2)
})
