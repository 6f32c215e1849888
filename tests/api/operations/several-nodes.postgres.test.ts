import { describe, expect, test } from 'vitest'
import { createClient, type TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createAccount } from '../../support/fixtures/accounts.ts'
import { assignmentPath, createCustomer, enterAsCustomer, signInAsCustomer } from '../../support/fixtures/customers.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { createSignIn } from '../../support/fixtures/sign-ins.ts'
import { mailPortAddress, mailServerForTest } from '../../support/network/mail-server.ts'
import { expectOnOtherNode } from '../../support/nodes/expect-on-other-node.ts'
import { startTwoNodes, type TwoNodes } from '../../support/nodes/two-nodes.ts'
import { createMovableClock, serviceForTest, type TestService } from '../../support/service/test-service.ts'
import { createTestWebhook, listAnnounced } from '../../support/webhooks/webhooks.ts'

const clientAt = ({ url }: TestService, { token }: TestClient): TestClient => createClient(url, token)

async function createGallery({ first }: TwoNodes) {
  const event = await createEvent(first.api)
  const [id = 0] = await uploadPhotos(first.api, event.id, 1)
  return { event, id, guest: await enterAsGuest(first, event) }
}

const thumbnail = ({ slug }: TestEvent, id: number): string => `/api/gallery/${slug}/thumbnail/${id}`

const expectStatus = (status: number, ask: () => Promise<{ status: number }>): Promise<void> =>
  expectOnOtherNode(async () => (await ask()).status, status)

describe('a change on one node', () => {
  test.each([
    [
      'a photo that is hidden',
      404,
      ({ first }: TwoNodes, event: TestEvent, id: number) =>
        first.admin.patch(`/api/admin/photos/${event.id}/photos/${id}`, { visibility: 'hidden' }),
    ],
    [
      'a photo that is deleted',
      404,
      ({ first }: TwoNodes, event: TestEvent, id: number) =>
        first.admin.delete(`/api/admin/photos/${event.id}/photos/${id}`),
    ],
    [
      'an event that is archived',
      404,
      ({ first }: TwoNodes, event: TestEvent) => first.admin.post(`/api/admin/events/${event.id}/archive`, {}),
    ],
    [
      'an event that is deleted',
      404,
      ({ first }: TwoNodes, event: TestEvent) => first.admin.delete(`/api/admin/events/${event.id}`),
    ],
    [
      'a guest who has signed out',
      401,
      ({ first }: TwoNodes, _event: TestEvent, _id: number, guest: TestClient) =>
        clientAt(first, guest).post('/api/auth/gallery/logout', {}),
    ],
  ])('%s applies on the other within 500 ms, although it was cached', async (_what, status, change) => {
    const nodes = await startTwoNodes()
    const { event, id, guest } = await createGallery(nodes)
    const there = clientAt(nodes.second, guest)
    for (let round = 0; round < 5; round++) expect((await there.get(thumbnail(event, id))).status).toBe(200)
    expect((await change(nodes, event, id, guest)).status).toBe(200)
    await expectStatus(status, () => there.get(thumbnail(event, id)))
    for (let round = 0; round < 5; round++) expect((await there.get(thumbnail(event, id))).status).toBe(status)
  })

  test('ends sessions, tokens and assignments on the other', async () => {
    const { first, second } = await startTwoNodes()
    const { admin } = await createSignIn(first)
    const editor = await createAccount(first, 'editor')
    const event = await createEvent(first.api)
    const customer = await createCustomer(first.admin)
    await first.admin.put(assignmentPath(customer, event), {})
    const entered = await enterAsCustomer(first, await signInAsCustomer(first, customer), event.slug)
    const asked = {
      session: () => clientAt(second, admin).get('/api/admin/events'),
      account: () => clientAt(second, editor.admin).get('/api/admin/events'),
      token: () => clientAt(second, editor.api).get('/api/v1/events'),
      assignment: () => clientAt(second, entered).get(`/api/gallery/${event.slug}/photos`),
    }
    for (const ask of Object.values(asked)) expect((await ask()).status).toBe(200)

    await admin.post('/api/admin/auth/logout', {})
    await first.admin.post(`/api/admin/users/${editor.id}/deactivate`, {})
    await first.admin.delete(assignmentPath(customer, event))
    for (const ask of [asked.session, asked.account, asked.token]) await expectStatus(401, ask)
    await expectStatus(403, asked.assignment)
  })
})

test('a mail server and a public address that are entered on one node apply on the other', async () => {
  const address = mailPortAddress()
  const mailServer = await mailServerForTest(address)
  const { first, second } = await startTwoNodes()
  const linkOrigin = async () => (await second.admin.get('/api/admin/public-address')).body.link_origin
  expect(await linkOrigin()).not.toBe('https://photos.example.com')
  await createEvent(second.api, { customer_email: 'early@example.com' })
  await first.admin.put('/api/admin/public-address', { url: 'https://photos.example.com' })
  await expectOnOtherNode(linkOrigin, 'https://photos.example.com')
  await first.admin.put('/api/admin/mail/server', { server: { ...address, security: 'none' } })
  await createEvent(second.api, { customer_email: 'late@example.com' })
  const [mail] = await mailServer.receive(1)
  expect(mail?.recipients).toEqual(['late@example.com'])
  expect(mail?.text).toContain('https://photos.example.com/gallery/')
})

test('the health page of each shows the number of nodes, and secrets that are not set', async () => {
  const { first, second, listenProxy } = await startTwoNodes()
  const loadHealthItem = async ({ admin }: TestService, wanted: string) => {
    const { items } = (await admin.get('/api/admin/health')).body
    return items.find(({ key }: { key: string }) => key === wanted)
  }
  for (const node of [first, second]) {
    expect(await loadHealthItem(node, 'nodes')).toMatchObject({ facts: { nodes: 2, is_hearing: true } })
    expect(await loadHealthItem(node, 'secrets')).toMatchObject({
      status: 'warn',
      facts: { generated: expect.any(String) },
    })
  }
  listenProxy.cut()
  const loadNodesItem = () => loadHealthItem(second, 'nodes')
  await expect.poll(loadNodesItem).toMatchObject({ status: 'warn', facts: { is_hearing: false } })
})

describe('only one node', () => {
  test('counts the visit of a guest, whichever node gets the requests', async () => {
    const nodes = await startTwoNodes()
    const { first, second } = nodes
    const { event, guest } = await createGallery(nodes)
    for (const node of [second, first, second, first])
      await clientAt(node, guest).get(`/api/gallery/${event.slug}/photos`)
    const countViews = ({ id }: TestEvent) =>
      readDatabase(first, (stored) =>
        stored.prepare<[number], number>('select total_views from events where id = ?').pluck().get(id),
      )
    for (const node of [first, second]) {
      const later = await createEvent(first.api)
      await enterAsGuest(node, later)
      await expect.poll(() => countViews(later)).toBe(1)
    }
    expect(countViews(event)).toBe(1)
  })

  test('announces that an event has expired, even if several start together', async () => {
    const clock = createMovableClock()
    const { first } = await startTwoNodes({ edges: { clock } })
    await createTestWebhook(first)
    const events = await Promise.all([1, 2, 3].map(async () => (await createEvent(first.api)).id))
    await changeDatabase(first, (stored) => stored.exec('update events set expires_at = 1000, expired_at = null'))
    // Otherwise the new nodes would skip the jobs that the running nodes have just run.
    clock.advance(60_000)
    const options = { environment: { DATA_DIR: first.dataDir }, edges: { clock } }
    const started = await Promise.all([serviceForTest(options), serviceForTest(options)])
    const listExpiredIds = () => listAnnounced(first, 'event.expired').map(({ data }) => data.event.id)
    await expect.poll(() => listExpiredIds().length).toBeGreaterThanOrEqual(events.length)
    // A stop waits for the running jobs.
    for (const node of started) await node.stop()
    expect(listExpiredIds().sort()).toEqual([...events].sort())
  })
})
