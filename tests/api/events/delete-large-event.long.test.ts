import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForTest } from '../../support/service/test-service.ts'

const marks = 80_000

test('deleting an event with many marks writes little into the log of SQLite at once', async () => {
  const service = await serviceForTest()
  const event = await createEvent(service.api)
  const [photo] = await uploadPhotos(service.api, event.id, 1)
  await changeDatabase(service, (stored) => {
    const insert = stored.prepare(
      `insert into feedback (event_id, photo_id, guest_id, kind, is_visible, created_at, updated_at)
       with recursive n (i) as (select 1 union all select i + 1 from n where i < ${marks})
       select ${event.id}, ${photo}, lower(hex(randomblob(16))), 'like', 1, i, i from n`,
    )
    insert.run()
  })
  readDatabase(service, (stored) => stored.prepare('pragma wal_checkpoint(truncate)').all())
  expect((await service.admin.delete(`/api/admin/events/${event.id}`)).status).toBe(200)
  expect(readDatabase(service, (stored) => stored.prepare('select id from feedback').all())).toEqual([])
  expect((await stat(join(service.dataDir, 'proofroom.db-wal'))).size).toBeLessThan(12 * 2 ** 20)
}, 120_000)
