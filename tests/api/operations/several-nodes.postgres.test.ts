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

type Gallery = Awaited<ReturnType<typeof createGallery>>

const expectStatus = (status: number, ask: () => Promise<{ status: number }>): Promise<void> =>
  expectOnOtherNode(async () => (await ask()).status, status)

describe('a change on one node', () => {
  test('of photos, events and guests applies on the other within 500 ms, although it was cached', {
    tags: 'nightly',
  }, async () => {
    const nodes = await startTwoNodes()
    const { admin } = nodes.first
    const ofPhoto = ({ event, id }: Gallery) => `/api/admin/photos/${event.id}/photos/${id}`
    const ofEvent = ({ event }: Gallery) => `/api/admin/events/${event.id}`
    const changes: Array<[status: number, change: (gallery: Gallery) => Promise<{ status: number }>]> = [
      [404, (gallery) => admin.patch(ofPhoto(gallery), { visibility: 'hidden' })],
      [404, (gallery) => admin.delete(ofPhoto(gallery))],
      [404, (gallery) => admin.post(`${ofEvent(gallery)}/archive`, {})],
      [404, (gallery) => admin.delete(ofEvent(gallery))],
      [401, ({ guest }) => clientAt(nodes.first, guest).post('/api/auth/gallery/logout', {})],
    ]
    for (const [status, change] of changes) {
      const gallery = await createGallery(nodes)
      const there = clientAt(nodes.second, gallery.guest)
      const read = () => there.get(`/api/gallery/${gallery.event.slug}/thumbnail/${gallery.id}`)
      for (let round = 0; round < 5; round++) expect((await read()).status).toBe(200)
      expect((await change(gallery)).status).toBe(200)
      await expectStatus(status, read)
      for (let round = 0; round < 5; round++) expect((await read()).status).toBe(status)
    }
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

test('a mail server and a public address that are entered on one node apply on the other', {
  tags: 'nightly',
}, async () => {
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

test('the health page of each shows the number of nodes, and secrets that are not set', {
  tags: 'nightly',
}, async () => {
  const { first, second, listenProxy } = await startTwoNodes()
  const loadHealthItem = async ({ admin }: TestService, wanted: string) => {
    const { items } = (await admin.get('/api/admin/health')).body
    return items.find(({ key }: { key: string }) => key === wanted)
  }
  for (const node of [first, second]) {
    expect(await loadHealthItem(node, 'nodes')).toMatchObject({ facts: { nodes: 2, is_hearing: true } })
    const facts = { generated: expect.any(String) }
    expect(await loadHealthItem(node, 'secrets')).toMatchObject({ status: 'warn', facts })
  }
  listenProxy.cut()
  const loadNodesItem = () => loadHealthItem(second, 'nodes')
  await expect.poll(loadNodesItem).toMatchObject({ status: 'warn', facts: { is_hearing: false } })
})

describe('only one node', () => {
  test('counts the visit of a guest, whichever node gets the requests', { tags: 'nightly' }, async () => {
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

  test('announces that an event has expired, even if several start together', { tags: 'nightly' }, async () => {
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
