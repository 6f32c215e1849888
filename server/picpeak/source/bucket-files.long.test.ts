import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { openSource } from '../../../tests/support/picpeak/open-source.ts'
import { makePicPeak } from '../../../tests/support/picpeak/picpeak-installation.ts'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { bucketForTest } from '../../../tests/support/storage/s3-storage.ts'
import { createS3Client } from '../../../tests/support/storage/test-bucket.ts'
import { moveInstallation } from '../move-installation.ts'

test('photos and archives in a bucket move, and what is missing there is named', async () => {
  const environment = await bucketForTest()
  const prefix = `${environment.S3_PREFIX}studio/`
  const picpeak = await makePicPeak((rows) => {
    rows.photos?.push({ id: 91, event_id: 5, filename: 'x.jpg', path: '../../../secret' })
  })
  const client = createS3Client(environment)
  for (const entry of await readdir(picpeak.storage, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'Lena_0001.jpg') continue
    const path = join(entry.parentPath, entry.name)
    const Key = `${prefix}${relative(picpeak.storage, path)}`
    await client.send(new PutObjectCommand({ Bucket: environment.S3_BUCKET, Key, Body: await readFile(path) }))
  }
  client.destroy()

  const place = `s3://${environment.S3_BUCKET}/${prefix}`
  const reached = Object.fromEntries(
    Object.entries(environment)
      .filter(([name]) => !['S3_BUCKET', 'S3_PREFIX'].includes(name))
      .map(([name, value]) => [`PICPEAK_${name}`, value]),
  )
  const source = await openSource(picpeak.folder, place, reached)
  const ctx = await contextForTest()
  const options = { isDryRun: false, links: true, accounts: 'keep', onProgress: () => undefined } as const
  const report = await moveInstallation(ctx, source, options)
  await source.close()
  expect(report.differences.filter(({ table }) => table === 'photos')).toEqual([
    { table: 'photos', id: '91', reason: 'The file events/active/../../../secret is missing.' },
    { table: 'photos', id: '11', reason: 'The file events/active/birthday-lena/Lena_0001.jpg is missing.' },
  ])
  const photos = await ctx.db.selectFrom('photos').select('id').orderBy('id').execute()
  expect(photos.map(({ id }) => id)).toEqual([1, 2, 4, 12, 20])

  const nowhere = `s3://${environment.S3_BUCKET}/elsewhere`
  await expect(openSource(picpeak.folder, nowhere, reached)).rejects.toThrow('There is nothing below elsewhere/events/')
  await expect(openSource(picpeak.folder, 's3://no-such-bucket-here', reached)).rejects.toThrow('cannot be read')
  const wrongKey = { ...reached, PICPEAK_S3_SECRET_ACCESS_KEY: 'wrong' }
  await expect(openSource(picpeak.folder, place, wrongKey)).rejects.toThrow('cannot be read')
})
