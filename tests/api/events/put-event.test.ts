import { describe, expect, test } from 'vitest'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { sharedService } from '../../support/service/test-service.ts'

const service = await sharedService()
const { admin, api } = service

describe('PUT of an event', () => {
  const put = (event: { id: number }, body: Record<string, unknown>, client: TestClient = admin) =>
    client.put(`/api/admin/events/${event.id}`, body)

  test('changes only what is sent, like PATCH', async () => {
    const event = await createEvent(api, { customer_name: 'Ana Berg' })
    const { status, body } = await put(event, { event_name: 'Other' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: event.id, event_name: 'Other', customer_name: 'Ana Berg' })
    expectInvalidField(await put(event, { slug: 'mine' }), 'slug')
  })

  test('exists only in the admin API, for owners', async () => {
    const event = await createEvent(api)
    expectProblem(await api.put(`/api/v1/events/${event.id}`, { event_name: 'x' }), 405, 'METHOD_NOT_ALLOWED')
    const stranger = await createAccount(service, 'admin')
    expectProblem(await put(event, { event_name: 'x' }, stranger.admin), 403, 'FORBIDDEN')
  })
})
