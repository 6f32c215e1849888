import { describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const { api, admin } = await sharedService()

const post = (body: Record<string, unknown>) =>
  api.post('/api/v1/events', { event_type: 'wedding', event_name: 'Ana & Ben', require_password: false, ...body })

describe('fields that settings require', () => {
  const required = {
    event_date: ['event_require_event_date', '2031-07-05'],
    customer_name: ['event_require_customer_name', 'Cleo'],
    customer_email: ['event_require_customer_email', 'cleo@example.com'],
    admin_email: ['event_require_admin_email', 'studio@example.com'],
    expiration_days: ['event_require_expiration', 10],
  } as const
  test.each(Object.entries(required))('%s, only while its setting is on', async (field, [setting, value]) => {
    await admin.put('/api/admin/settings', { [setting]: true })
    expectInvalidField(await post({}), field)
    expectInvalidField(await post({ [field]: null }), field)
    if (typeof value === 'string')
      for (const blank of ['', '  ']) expectInvalidField(await post({ [field]: blank }), field)
    expect((await post({ [field]: value })).status).toBe(201)
    await admin.put('/api/admin/settings', { [setting]: false })
    expect((await post({})).status).toBe(201)
  })

  test('are all reported at once', async () => {
    const settings = Object.values(required).map(([setting]) => setting)
    const settingsWith = (value: boolean) => Object.fromEntries(settings.map((setting) => [setting, value]))
    await admin.put('/api/admin/settings', settingsWith(true))
    const { body } = await post({ allow_user_uploads: true })
    await admin.put('/api/admin/settings', settingsWith(false))
    const reportedPaths = body.details.map(({ path }: { path: string }) => path)
    expect(reportedPaths).toEqual([...Object.keys(required), 'upload_category_id'])
  })

  test('are satisfied by an alias or an expires_at as well', async () => {
    await admin.put('/api/admin/settings', { event_require_customer_name: true, event_require_expiration: true })
    expect((await post({ host_name: 'Dora', expires_at: '2999-01-01' })).status).toBe(201)
    await admin.put('/api/admin/settings', { event_require_customer_name: false, event_require_expiration: false })
  })

  test('include upload_category_id with allow_user_uploads, which must be usable', async () => {
    expectInvalidField(await post({ allow_user_uploads: true }), 'upload_category_id')
    expectProblem(await post({ allow_user_uploads: true, upload_category_id: 999_999 }), 400, 'INVALID_CATEGORY')
    const other = await createEvent(api)
    const { body } = await admin.post('/api/admin/categories', { name: 'Theirs', event_id: other.id })
    expectProblem(await post({ allow_user_uploads: true, upload_category_id: body.id }), 400, 'INVALID_CATEGORY')
  })
})
