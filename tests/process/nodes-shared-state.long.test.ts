import { describe, expect, test } from 'vitest'
import { openLiveStream } from '../support/clients/live-events.ts'
import { expectProblem } from '../support/clients/problems.ts'
import { createClient } from '../support/clients/test-client.ts'
import { createAccount } from '../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, uploadPhotos } from '../support/fixtures/events.ts'
import { runMainUseCase } from '../support/fixtures/main-use-case.ts'
import { jpeg } from '../support/media/pictures.ts'
import { clusterForFile } from '../support/nodes/cluster.ts'
import { expectOnOtherNode } from '../support/nodes/expect-on-other-node.ts'
import {
  adminUploadsPath,
  createUploadClient,
  initUpload,
  largeJpeg,
  sendAllChunks,
} from '../support/uploads/chunked-uploads.ts'
import { chunkBytes, computeTreeHash, createVersionedFile, readVersions } from '../support/uploads/chunked-versions.ts'
import { createTestWebhook, listAnnouncedOf } from '../support/webhooks/webhooks.ts'

const { nodes, balanced } = await clusterForFile({ RATE_LIMIT: 'on', TRUST_PROXY: '1' })
const [alpha, beta] = nodes
const nodeOf = (index: number) => nodes[index % 2] as (typeof nodes)[0]

let addresses = 0
/** Returns a header with a new client address for each call, because limits count requests by address. */
const createAddressHeader = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` })

test('through a round-robin proxy, a photo uploaded by token is seen and downloaded by a guest with the share link', () =>
  runMainUseCase(balanced))

describe('a chunked upload that goes to both nodes', () => {
  const uploadAt = (node: number, path: string) => createUploadClient(nodeOf(node).admin, path)

  async function begin(sizeBytes: number) {
    const event = await createEvent(alpha.api)
    const file = createVersionedFile(sizeBytes)
    const { path } = await initUpload(alpha.admin, adminUploadsPath(event.id), { fileSize: file.sizeBytes })
    const send = async (index: number, version: number, toNode: number) =>
      (await uploadAt(toNode, path).chunk(index, file.chunk(index, version))).status
    return { event, file, path, send }
  }

  async function completeAndDownload(eventId: number, path: string) {
    const { status, body } = await uploadAt(1, path).complete()
    expect(status).toBe(200)
    const [photo] = body.photos
    return { photo, bytes: (await alpha.api.get(`/api/v1/events/${eventId}/photos/${photo.id}/download`)).bytes }
  }

  test('chunks sent again to the other node replace the earlier ones, and the file is complete', async () => {
    const { event, file, path, send } = await begin(3 * chunkBytes + 77)
    for (let index = 0; index < file.chunks; index++) expect(await send(index, 1, index)).toBe(200)
    // Sends three chunks again, each to the other node, and two of them concurrently.
    expect(await Promise.all([send(0, 2, 1), send(1, 2, 0)])).toEqual([200, 200])
    expect(await send(3, 2, 0)).toBe(200)
    const { photo, bytes } = await completeAndDownload(event.id, path)
    expect(readVersions(file, bytes)).toEqual([2, 2, 1, 2])
    expect(photo.content_hash).toBe(computeTreeHash(bytes))
  })

  test('one chunk sent to both nodes at once is exactly one of the two', async () => {
    const { event, file, path, send } = await begin(chunkBytes + 4096)
    const sent = await Promise.all([send(0, 1, 0), send(0, 2, 1), send(1, 1, 1), send(1, 2, 0)])
    expect(sent).toEqual([200, 200, 200, 200])
    const { photo, bytes } = await completeAndDownload(event.id, path)
    // 1 and 2 are the versions of the two concurrent sends of each chunk.
    for (const version of readVersions(file, bytes)) expect([1, 2]).toContain(version)
    expect(photo.content_hash).toBe(computeTreeHash(bytes))
  })

  test('completed on both nodes at once, it creates and announces one photo', async () => {
    await createTestWebhook(balanced, { events: ['photo.uploaded'] })
    const event = await createEvent(alpha.api)
    for (let round = 1; round <= 2; round++) {
      const file = await largeJpeg(300_000, round)
      const { path } = await sendAllChunks(nodeOf(round).admin, adminUploadsPath(event.id), file)
      const complete = (index: number) => uploadAt(index, path).complete()
      const responses = await Promise.all([complete(0), complete(1), complete(0)])
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
      const ids = responses.map(({ body }) => body.photos[0].id)
      expect(new Set(ids).size).toBe(1)
      const { bytes } = await beta.api.get(`/api/v1/events/${event.id}/photos/${ids[0]}/download`)
      expect(bytes.equals(file)).toBe(true)
      const { body } = await alpha.api.get(`/api/v1/events/${event.id}/photos`)
      expect(body.pagination.total).toBe(round)
      expect(listAnnouncedOf(balanced, event.id)).toHaveLength(round)
    }
  })
})

describe('a change on one node', () => {
  test('that revokes a token makes the other node reject it', async () => {
    const { body: made } = await alpha.admin.post('/api/admin/api-tokens', { name: 'short', scopes: ['read'] })
    const token = createClient(beta.url, made.token)
    expect((await token.get('/api/v1/events')).status).toBe(200)
    await alpha.admin.delete(`/api/admin/api-tokens/${made.id}`)
    await expectOnOtherNode(async () => (await token.get('/api/v1/events')).status, 401)
  })

  test('of the share token ends guest sessions on the other node', async () => {
    const event = await createEvent(alpha.api)
    const guest = await enterAsGuest(beta, event)
    expect((await guest.get(`/api/gallery/${event.slug}/photos`)).status).toBe(200)
    await alpha.api.patch(`/api/v1/events/${event.id}`, { require_password: true, password: 'olive tree' })
    await expectOnOtherNode(async () => (await guest.get(`/api/gallery/${event.slug}/photos`)).status, 401)
  })

  test('by a guest reaches an operator on the other node at once', async () => {
    const event = await createEvent(alpha.api)
    const [photoId] = await uploadPhotos(alpha.api, event.id, 1)
    for (const [watching, marking] of [nodes, [...nodes].reverse()]) {
      if (!watching || !marking) throw new Error('There are two nodes')
      const guest = await enterAsGuest(marking, event)
      const { messages } = await openLiveStream(watching, event.id)
      for (const rating of [4, 2, 5]) {
        const path = `/api/gallery/${event.slug}/photos/${photoId}/feedback`
        expect((await guest.post(path, { feedback_type: 'rating', rating })).status).toBe(200)
        await expect.poll(() => messages.at(-1)?.data?.rating, { interval: 20 }).toBe(rating)
      }
    }
  })
})

describe('a limit', () => {
  test('allows no more guesses of a password on both nodes at once than on one, and locks the account on both', async () => {
    const { username, password } = await createAccount(alpha, 'admin')
    const from = createAddressHeader()
    const attempt = (index: number, secret = 'wrong') =>
      nodeOf(index).anonymous.post('/api/auth/admin/login', { username, password: secret }, from)
    const responses = await Promise.all(Array.from({ length: 16 }, (_, index) => attempt(index)))
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(5).fill(401), ...Array(11).fill(423)])
    for (const index of [0, 1]) expectProblem(await attempt(index, password), 423, 'ACCOUNT_LOCKED')
  })

  test('for wrong links of one address applies on both nodes, but never to a correct link', async () => {
    const { slug, share_token } = await createEvent(alpha.api)
    const from = createAddressHeader()
    const enter = (index: number, token: string) =>
      nodeOf(index).anonymous.post('/api/auth/gallery/share-login', { slug, token }, from)
    for (let index = 0; index < 30; index++) expect((await enter(index, 'wrong')).status).toBe(401)
    for (const index of [0, 1]) {
      expectProblem(await enter(index, 'wrong'), 429, 'RATE_LIMITED')
      expect((await enter(index, share_token)).status).toBe(200)
    }
  })
})

test('an idempotency key sent to both nodes at once creates one photo, and both return the same response later', async () => {
  const event = await createEvent(alpha.api)
  for (let round = 1; round <= 3; round++) {
    const bytes = await jpeg({ seed: round })
    const upload = (index: number, content = bytes) =>
      nodeOf(index).api.upload(event.id, content, { headers: { 'idempotency-key': `round ${round}` } })
    const responses = await Promise.all([upload(0), upload(1), upload(round)])
    const [done, rejected] = [true, false].map((isDone) =>
      responses.filter(({ status }) => isDone === (status === 201)),
    )
    expect(done?.length).toBeGreaterThan(0)
    for (const response of rejected ?? []) expectProblem(response, 409, 'IDEMPOTENCY_IN_PROGRESS')
    const again = await Promise.all([upload(0), upload(1)])
    for (const { status, headers } of again) {
      expect([status, headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    }
    expect(new Set([...(done ?? []), ...again].map(({ body }) => body.id)).size).toBe(1)
    expectProblem(await upload(round, await jpeg({ seed: 99 })), 422, 'IDEMPOTENCY_KEY_REUSED')
    const { body } = await nodeOf(round).api.get(`/api/v1/events/${event.id}/photos`)
    expect(body.pagination.total).toBe(round)
  }
})
