import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type GalleryTarget, galleryTable } from '../support/access/gallery-table.ts'
import type { TestClient, TestResponse } from '../support/clients/test-client.ts'
import { withPostgresClient } from '../support/database/postgres-databases.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { getAddress, signable } from '../support/fixtures/signed-pictures.ts'
import { type ClusterNode, clusterForFile } from '../support/nodes/cluster.ts'
import { isLongRun } from '../support/run/long-run.ts'
import { getPostgresUrl } from '../support/service/back-ends.ts'

const { nodes } = await clusterForFile()
const [alpha, beta] = nodes

/** The service guarantees that the other node does not show a hidden photo after this time. */
const guaranteedMs = 500
const observedMs = 700
const listeners = 'proofroom node'

type Scene = {
  event: TestEvent
  guests: Map<ClusterNode, TestClient>
  photoId: number
  signedPath: string
  coverTag: string | null
}

test('a photo hidden on one node is not served by the other after 500 ms, by any route', async () => {
  await runRounds({ concurrency: 2, forMs: isLongRun ? 6_000 : 1_000 })
})

test('a hidden photo is not served while the listening connections of the nodes are cut', {
  tags: 'nightly',
}, async () => {
  for (const { database } of nodes) database.cut(listeners)
  onTestFinished(openDatabases)
  await runRounds({ concurrency: 2, forMs: isLongRun ? 10_000 : 1_000 })
  for (const node of nodes) expect(node.process().output()).toContain('Disconnected from other nodes')
  openDatabases()
  await runRounds({ concurrency: 1, forMs: 0 })
})

test('a hidden photo is not served while the listening connections are ended repeatedly', {
  tags: 'nightly',
}, async () => {
  const forMs = isLongRun ? 4_000 : 2_000
  const [cuts] = await Promise.all([endListeners(forMs), runRounds({ concurrency: 2, forMs })])
  expect(cuts).toBeGreaterThan(3)
})

test('a hidden photo is not served while the listening connections stall but stay open', {
  tags: 'nightly',
}, async () => {
  for (const { database } of nodes) database.stall(listeners)
  onTestFinished(openDatabases)
  await runRounds({ concurrency: 2, forMs: isLongRun ? 4_000 : 1_000 })
  openDatabases()
  await runRounds({ concurrency: 1, forMs: 0 })
})

test('a hidden photo is not served while or after the other node is cut off from the database', {
  tags: 'nightly',
}, async () => {
  const scenes = await Promise.all([1, 2, 3].map(() => createScene()))
  for (const scene of scenes) await warmCaches(beta, scene)
  onTestFinished(openDatabases)
  beta.database.stall()
  await Promise.all(scenes.map((scene) => setVisibility(alpha, scene, 'hidden')))
  // The guarantee holds only after this time.
  await sleep(guaranteedMs)
  const asked: Array<Promise<string[]>> = []
  const ask = () => asked.push(...scenes.map((scene) => listShowingRoutes(beta, scene)))
  for (let count = 0; count < 4; count++) {
    ask()
    // Spreads the requests over the time in which the node is cut off.
    await sleep(500)
  }
  beta.database.open()
  for (let count = 0; count < 10; count++) {
    ask()
    await sleep(100)
  }
  expect((await Promise.all(asked)).flat()).toEqual([])
  const answered = async () => (await beta.anonymous.get('/health')).status
  await expect.poll(answered).toBe(200)
})

function openDatabases(): void {
  for (const { database } of nodes) database.open()
}

async function runRounds({ concurrency, forMs }: { concurrency: number; forMs: number }): Promise<void> {
  const until = performance.now() + forMs
  const runScene = async () => {
    const scene = await createScene()
    let [hidingNode, reader] = nodes
    do {
      await hideAndCheck(hidingNode, reader, scene)
      ;[hidingNode, reader] = [reader, hidingNode]
    } while (performance.now() < until)
  }
  await Promise.all(Array.from({ length: concurrency }, runScene))
}

/** Hides the photo on one node, checks the other node 500 to 700 ms later, and makes the photo visible again. */
async function hideAndCheck(hidingNode: ClusterNode, reader: ClusterNode, scene: Scene): Promise<void> {
  await warmCaches(reader, scene)
  await setVisibility(hidingNode, scene, 'hidden')
  const hiddenAt = performance.now()
  for (;;) {
    const askedMs = performance.now() - hiddenAt
    const showing = await listShowingRoutes(reader, scene)
    if (askedMs >= guaranteedMs) expect(showing).toEqual([])
    if (askedMs > observedMs) break
  }
  await setVisibility(reader, scene, 'visible')
}

/** Repeats the requests until every route shows the photo, because then the node has cached it. */
async function warmCaches(node: ClusterNode, scene: Scene): Promise<void> {
  scene.coverTag = null
  const all = routes.map(({ route }) => route)
  await expect.poll(() => listShowingRoutes(node, scene), { interval: 20 }).toEqual(all)
  scene.coverTag = (await requestCover(node, scene)).headers.get('etag')
}

/** Creates a gallery of two photos. `photoId` is the photo that is its cover. */
async function createScene(): Promise<Scene> {
  const event = await createEvent(alpha.api, { ...signable, keep_versions: true })
  const [photoId = 0] = await uploadPhotos(alpha.api, event.id, 2)
  const enter = async (node: ClusterNode) => [node, await enterAsGuest(node, event)] as const
  const signedPath = await getAddress(alpha.api, event, photoId)
  return { event, photoId, signedPath, coverTag: null, guests: new Map(await Promise.all(nodes.map(enter))) }
}

async function setVisibility({ admin }: ClusterNode, { event, photoId }: Scene, visibility: string): Promise<void> {
  const { status } = await admin.patch(`/api/admin/photos/${event.id}/photos/${photoId}`, { visibility })
  expect(status).toBe(200)
}

type PhotoRoute = {
  route: string
  send: (node: ClusterNode, scene: Scene) => Promise<TestResponse>
  shows: (response: TestResponse, scene: Scene) => boolean
}

const isServed = ({ status }: TestResponse): boolean => status < 400
const originalName = 'photo-1.jpg'

/** How a response shows the photo, by the kind of access that the route needs. */
const showsByAccessKind: Record<string, PhotoRoute['shows']> = {
  // The outline lists the id, width and height of a photo.
  list: ({ body }, { photoId }) =>
    body?.photos?.some((photo: { id: number } & number[]) => (photo.id ?? photo[0]) === photoId) ?? false,
  look: isServed,
  download: isServed,
  chosen: isServed,
  feedback: isServed,
  mark: isServed,
  own: ({ body }, { photoId }) => JSON.stringify(body ?? {}).includes(`"photo_id":${photoId},`),
  archive: ({ body, bytes }) => (body ? body.count > 1 : bytes.includes(originalName)),
}

const requestCover = ({ anonymous }: ClusterNode, { event }: Scene): Promise<TestResponse> =>
  anonymous.get(`/gallery/${event.slug}/${event.share_token}/cover.jpg`)

/**
 * A submitted selection names a photo only when the picks have changed since. A guest can have 100 notes and pins, less
 * than the number of requests.
 */
const unrepeatable = [
  ...['GET /selection', 'POST /notes', 'GET /notes', 'GET /threads', 'GET /live'],
  ...['POST /photos/:photo_id/threads', 'DELETE /threads/:thread_id'],
]

/** All routes that return a photo, its bytes or its data. */
const routes: PhotoRoute[] = [
  ...galleryTable.flatMap(({ route, accessKind, send }): PhotoRoute[] => {
    const shows = unrepeatable.includes(route) ? undefined : showsByAccessKind[accessKind]
    const asGuest: PhotoRoute['send'] = (node, scene) => send(getGuest(node, scene), getTarget(scene))
    return shows ? [{ route, send: asGuest, shows }] : []
  }),
  {
    route: 'GET /photo/:photo_id, of which the guest has a copy',
    send: (node, scene) =>
      getGuest(node, scene).get(`/api/gallery/${scene.event.slug}/photo/${scene.photoId}`, { 'if-none-match': '*' }),
    shows: isServed,
  },
  {
    route: 'GET /pictures/:photo_id/:width/:expires/:signature',
    send: ({ anonymous }, { signedPath }) => anonymous.get(signedPath),
    shows: isServed,
  },
  {
    route: 'GET /gallery/:slug/:share_token/cover.jpg',
    send: requestCover,
    shows: ({ status, headers }, { coverTag }) =>
      status === 200 && (coverTag === null || headers.get('etag') === coverTag),
  },
]

const getGuest = (node: ClusterNode, { guests }: Scene): TestClient => guests.get(node) as TestClient
const getTarget = ({ event, photoId }: Scene): GalleryTarget => ({ slug: event.slug, photoId })

async function listShowingRoutes(node: ClusterNode, scene: Scene): Promise<string[]> {
  const responses = await Promise.all(routes.map(({ send }) => send(node, scene)))
  return routes.filter(({ shows }, index) => shows(responses[index] as TestResponse, scene)).map(({ route }) => route)
}

function endListeners(forMs: number): Promise<number> {
  const until = performance.now() + forMs
  const end = `select count(pg_terminate_backend(pid)) ended from pg_stat_activity
    where datname = current_database() and application_name like '${listeners} %'`
  return withPostgresClient(String(getPostgresUrl(alpha.dataDir)), async (client) => {
    let count = 0
    while (performance.now() < until) {
      const { rows } = await client.query<{ ended: string }>(end)
      count += Number(rows[0]?.ended)
      // On average, one pause in five is long enough for the nodes to connect again.
      await sleep(Math.random() < 0.2 ? 600 : 100)
    }
    return count
  })
}
