import { expect, test } from 'vitest'
import { fillPicPeakPostgres } from '../../../tests/support/picpeak/fill-picpeak-postgres.ts'
import { openSource } from '../../../tests/support/picpeak/open-source.ts'
import { makePicPeak } from '../../../tests/support/picpeak/picpeak-installation.ts'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import { moveInstallation } from '../move-installation.ts'

const options = { isDryRun: false, links: false, accounts: 'keep' as const, onProgress: () => undefined }

test('an installation on PostgreSQL moves like the same one on SQLite, and is only read', async () => {
  const picpeak = await makePicPeak()
  const url = await fillPicPeakPostgres(picpeak.rows)
  const results = []
  for (const source of [await openSource(picpeak.folder), await openSource(url, picpeak.storage)]) {
    const ctx = await contextForTest()
    const report = await moveInstallation(ctx, source, options)
    await source.close()
    const columns = ['id', 'event_id', 'source_filename', 'visibility', 'category_id', 'uploaded_at'] as const
    const photos = await ctx.db.selectFrom('photos').select(columns).orderBy('id').execute()
    const marks = await ctx.db.selectFrom('photo_marks').selectAll().orderBy('photo_id').execute()
    const events = await ctx.db.selectFrom('events').selectAll().orderBy('id').execute()
    const stored = events.map(({ access_key: _key, updated_at: _at, expired_at: _expired, ...event }) => event)
    results.push({ report, photos, marks, events: stored })
  }
  expect(results[1]).toEqual(results[0])
  const [{ report } = { report: null }] = results
  expect(report?.counts.filter(({ source, moved }) => source !== moved)).toEqual([])
})

test('says that a database cannot be reached', async () => {
  const { storage } = await makePicPeak()
  await expect(openSource('postgres://nobody@127.0.0.1:1/picpeak', storage)).rejects.toThrow('cannot be read')
  await expect(openSource('postgres://nobody@127.0.0.1:1/picpeak')).rejects.toThrow('--storage')
})
