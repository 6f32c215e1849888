import { appendFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createEmptyPostgresDatabase } from '../../support/database/empty-postgres.ts'
import { createDocumentedMachine } from '../../support/docs/documented-machine.ts'
import { assertOutput, readBlock } from '../../support/docs/snippets.ts'
import { bucketForTest } from '../../support/storage/s3-storage.ts'

test('an instance moves to PostgreSQL and to a bucket by the lines of the page', async () => {
  const machine = await createDocumentedMachine()
  const run = async (block: string) => {
    const result = await machine.run(block)
    expect(result, result.stderr).toMatchObject({ code: 0 })
    return result.stdout
  }
  const start = async () => {
    const service = await machine.start()
    onTestFinished(() => service.end('SIGKILL'))
    return service
  }
  const shared = await run(readBlock('first-gallery'))
  const link = new URL(shared.trim().split('\n').at(-1) ?? '').pathname

  const address = readBlock('database-url').replace(/=.*/, `=${await createEmptyPostgresDatabase()}`)
  await appendFile(join(machine.folder, 'etc/proofroom.env'), address)
  assertOutput('migrate-database', await run(readBlock('migrate-database')))
  const onPostgres = await start()
  expect((await fetch(onPostgres.url + link)).status).toBe(200)

  const bucket: Record<string, string | undefined> = await bucketForTest()
  const values = readBlock('bucket-variables').replace(/^(S3_\w+)=.*$/gm, (_, name) => `${name}=${bucket[name] ?? ''}`)
  await run(values)
  assertOutput('migrate-storage', await run(readBlock('migrate-storage')))
  await onPostgres.end('SIGTERM')
  await rename(join(machine.folder, 'etc/proofroom-s3.env'), join(machine.folder, 'etc/proofroom.env'))
  await rm(join(machine.dataDir, 'media/files'), { recursive: true })
  const inBucket = await start()
  const html = await (await fetch(inBucket.url + link)).text()
  expect(html).toContain('/thumbnail/')
})
