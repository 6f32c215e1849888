import { expect, test } from 'vitest'
import { serviceForFile } from '../../support/service/test-service.ts'

const { admin } = await serviceForFile()

test('the defaults of new events follow the settings', async () => {
  const before = (await admin.get('/api/admin/event-defaults')).body
  expect(before).toMatchObject({ required: [], require_password: true, expiration_days: 30, allow_downloads: true })
  // The default of the API is another one.
  expect(before).toMatchObject({ default_photo_sort: 'capture_date_asc', ask_guest_name: true, allow_notes: true })
  await admin.put('/api/admin/settings', { event_require_event_date: true, event_default_allow_downloads: false })
  const after = (await admin.get('/api/admin/event-defaults')).body
  expect(after).toMatchObject({ required: ['event_date'], allow_downloads: false })
})
