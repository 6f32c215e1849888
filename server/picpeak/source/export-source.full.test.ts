import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSource } from '../../../tests/support/picpeak/open-source.ts'
import { exportPicPeak } from '../../../tests/support/picpeak/picpeak-export.ts'
import { makePicPeak } from '../../../tests/support/picpeak/picpeak-installation.ts'
import { writeForeignZip } from '../../../tests/support/picpeak/write-zip.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { moveInstallation } from '../move-installation.ts'
import type { PicPeakSource } from '../picpeak-source.ts'
import { SourceUnusable } from './source-database.ts'

async function moveFrom(source: PicPeakSource, ctx?: Awaited<ReturnType<typeof contextForTest>>) {
  const target = ctx ?? (await contextForTest())
  const options = { isDryRun: false, links: false, accounts: 'keep', onProgress: () => undefined } as const
  const report = await moveInstallation(target, source, options)
  await source.close()
  const columns = ['id', 'event_id', 'source_filename', 'visibility', 'category_id', 'uploaded_at'] as const
  const photos = await target.db
    .selectFrom('photos')
    .select([...columns, 'content_hash'])
    .orderBy('id')
    .execute()
  const marks = await target.db.selectFrom('photo_marks').selectAll().orderBy('photo_id').execute()
  return { target, report, photos, marks }
}

const explain = ({ report }: Awaited<ReturnType<typeof moveFrom>>) =>
  report.differences.map(({ table, id, reason }) => `${table} ${id}: ${reason}`)

test('an export moves like the installation, which adds nothing afterwards', async () => {
  const picpeak = await makePicPeak()
  const fromExport = await moveFrom(await openSource(await exportPicPeak(picpeak)))
  const fromFolder = await moveFrom(await openSource(picpeak.folder))
  expect(fromExport).toMatchObject({ report: fromFolder.report, photos: fromFolder.photos, marks: fromFolder.marks })
  expect(fromExport.photos).toHaveLength(6)
  const again = await moveFrom(await openSource(picpeak.folder), fromExport.target)
  expect(again).toMatchObject({ photos: fromExport.photos, report: fromExport.report })
})

test('an export without photos needs the storage folder; a table without rows may have no columns', async () => {
  const picpeak = await makePicPeak((rows) => Object.assign(rows, { slug_redirects: [], gallery_guests: [] }))
  const file = await exportPicPeak(picpeak, { includesPhotos: false })
  await expect(openSource(file)).rejects.toThrow('has no photos')
  const { photos, report } = await moveFrom(await openSource(file, picpeak.storage))
  expect(photos).toHaveLength(6)
  expect(report.counts.filter(({ source, moved }) => source !== moved)).toEqual([])
})

test('a damaged export loses nothing that is whole, and names the rest', async () => {
  const picpeak = await makePicPeak()
  await rm(join(picpeak.storage, 'events/active/wedding-ana-ben/Ana_Ben_0003.jpg'))
  const file = await exportPicPeak(picpeak, {
    edit(files) {
      const photos = files.get('data/photos.ndjson')
      if (photos) photos.bytes = Buffer.from(photos.bytes.toString().replace(/^.*"id":11,.*$/m, '{"id":11,'))
      const [first = ''] = (files.get('data/photo_feedback.ndjson')?.bytes.toString() ?? '').split('\n')
      const feedback = files.get('data/photo_feedback.ndjson')
      if (feedback) feedback.bytes = Buffer.from(`${first}\n`)
      const picture = files.get('files/events/active/wedding-ana-ben/Ana_Ben_vows_0002.jpg')
      if (picture) picture.crc = 1
      files.delete('data/slug_redirects.ndjson')
      files.set('up', { name: 'files/../../up.jpg', bytes: Buffer.from('x') })
      const name = 'data/new_things.ndjson'
      files.set(name, { name, bytes: Buffer.from('{"a":{"b":[1]},"A":2}\n') })
    },
  })
  const moved = await moveFrom(await openSource(file))
  expect(explain(moved)).toEqual(
    expect.arrayContaining([
      'photos line 4: The row cannot be read.',
      'photo_feedback (all): The export has 1 of 8 rows.',
      'slug_redirects (all): The export lacks the table.',
      'photos 2: DSC_1001.jpg: The file is damaged in its archive: it has another checksum.',
      'photos 4: The file events/active/wedding-ana-ben/Ana_Ben_0003.jpg is missing.',
    ]),
  )
  expect(moved.photos.map(({ id }) => id)).toEqual([1, 12, 20])
  const leftOut = { table: 'new_things', rows: 1, reason: 'Proofroom has nothing like it.' }
  expect(moved.report.leftOut).toContainEqual(leftOut)
})

test.each([
  '{"events":null}',
  '{"events":7}',
  '{"events":{"rowCount":{}}}',
  '{"events":{"rowCount":-1}}',
  '{"events":{"rowCount":"many"}}',
  '{"a\\nb":null}',
  '[]',
  '"all"',
])('refuses a manifest with the tables %s', async (tables) => {
  const file = join(await temporaryFolder(), 'x.picpeak')
  const manifest = Buffer.from(`{"kind":"picpeak-backup","format":1,"tables":${tables}}`)
  await writeFile(file, writeForeignZip([{ name: 'manifest.json', bytes: manifest }]))
  const error = await openSource(file).catch((reason) => reason)
  expect(error).toBeInstanceOf(SourceUnusable)
  expect(error.message).toBe(`${file} is no export of PicPeak that can be read: its manifest.json is damaged (tables).`)
})

test('refuses what is no export of PicPeak that it knows', async () => {
  const file = join(await temporaryFolder(), 'x.picpeak')
  const refused = async (manifest: string | null) => {
    const entry = { name: manifest === null ? 'photo.jpg' : 'manifest.json', bytes: Buffer.from(manifest ?? '') }
    await writeFile(file, writeForeignZip([entry]))
    return expect(openSource(file)).rejects
  }
  await (await refused(null)).toThrow('it has no manifest.json')
  await (await refused('{')).toThrow('its manifest.json is damaged')
  await (await refused('{"kind":"other","format":1}')).toThrow('is not that of PicPeak')
  await (await refused('{"kind":"picpeak-backup","format":{"toString":1}}')).toThrow('is not that of PicPeak')
  await (await refused('{"kind":"picpeak-backup","format":2}')).toThrow('it has the format 2, and only 1 is known')
  await (await refused('{"kind":"picpeak-backup","format":1}')).toThrow('it has no table events')
  await writeFile(file, writeForeignZip([{ name: 'manifest.json', bytes: Buffer.from('{}') }]).subarray(0, 60))
  await expect(openSource(file)).rejects.toThrow('is no export of PicPeak that can be read')
})
