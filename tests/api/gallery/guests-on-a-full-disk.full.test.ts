import { afterAll, expect, test } from 'vitest'
import { createPath, listRegisteredRoutes } from '../../support/access/routes.ts'
import { expectProblem } from '../../support/clients/problems.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { assignmentPath, createCustomer, signInCustomer } from '../../support/fixtures/customers.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { createSmallDisk } from '../../support/storage/small-disk.ts'

/** They store nothing, or nothing that stays. */
const openRoutes = ['POST /api/gallery/:slug/download-selected']

const disk = await createSmallDisk(200)
afterAll(disk.remove)
const service = await serviceForFile({ environment: disk.environment, edges: disk.edges })

test.skipIf(disk.environment.DATA_DIR === undefined)(
  'if only the space is left that is reserved from guests, guests enter, read and delete, and write nothing',
  async () => {
    const [category] = (await service.admin.get('/api/admin/categories/global')).body
    const uploads = { allow_user_uploads: true, upload_category_id: category.id }
    const event = await createEvent(service.api, { ...uploads, allow_notes: true })
    const [photo] = await uploadPhotos(service.api, event.id, 1)
    const guest = await enterAsGuest(service, event)
    const feedback = `/api/gallery/${event.slug}/photos/${photo}/feedback`
    const comment = await guest.post(feedback, { feedback_type: 'comment', comment_text: 'Lovely' })
    expect(comment.status).toBe(200)
    const customer = await createCustomer(service.admin)
    await service.admin.put(assignmentPath(customer, event), {})
    const session = (await signInCustomer(service, customer.email, customer.password)).body.token
    const gallery = (
      await createClient(service.url, session).post(`/api/customer/events/${event.slug}/access-token`, {})
    ).body.token
    await disk.fill(0.05)
    await expect.poll(async () => (await guest.post(feedback, { feedback_type: 'like' })).status).toBe(507)

    const writes = (await listRegisteredRoutes(service)).filter(
      (route) => /^(POST|PUT|PATCH) \/api\/gallery\//.test(route) && !openRoutes.includes(route),
    )
    expect(writes.length).toBeGreaterThan(6)
    for (const route of writes) {
      const [method = '', pattern = ''] = route.split(' ')
      const headers = { 'content-type': 'application/json' }
      const path = createPath(pattern).replace('/nothing', `/${event.slug}`)
      const answer = await guest.call(method, path, { headers, body: '{}' })
      expect([route, answer.status]).toEqual([route, 507])
    }
    const other = await enterAsGuest(service, event)
    expect((await other.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
    expect((await other.post(`/api/gallery/${event.slug}/download-selected`, { photo_ids: [photo] })).status).toBe(200)
    expect((await guest.delete(`${feedback}/${comment.body.id}`)).status).toBe(200)
    expectProblem(await other.post('/api/auth/gallery/logout', {}), 507, 'STORAGE_FULL')
    const cookie = `customer_token=${session}; gallery_${event.id}=${gallery}`
    expect((await service.anonymous.post('/api/customer/auth/logout', {}, { cookie })).status).toBe(200)
    const ended = await createClient(service.url, session).get('/api/customer/events')
    expectProblem(ended, 401, 'TOKEN_REVOKED')
    const login = { email: 'nobody@example.com', password: 'wrong-password' }
    expectProblem(await service.anonymous.post('/api/customer/auth/login', login), 401, 'INVALID_CREDENTIALS')
  },
  180_000,
)
