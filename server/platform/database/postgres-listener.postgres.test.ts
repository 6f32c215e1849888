import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { receiveFirstPhoto } from '../../../tests/support/fixtures/first-photo.ts'
import { startListeningProxy } from '../../../tests/support/network/listening-proxy.ts'
import { contextForTest } from '../../../tests/support/service/test-context.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { type ChangedKey, StateCache, type Topic } from '../background/changes.ts'

/** Two nodes on one database; the test can close the connection of the second. */
async function twoNodes() {
  const first = await contextForTest()
  const url = first.config.databaseUrl ?? ''
  const way = await startListeningProxy(url)
  const second = await contextForTest({ environment: { DATABASE_URL: way.url } })
  for (const { changes } of [first, second]) await expect.poll(() => changes.isDisconnected()).toBe(false)
  return { first, second, way }
}

const topics: Topic[] = ['event', 'photo', 'settings', 'account', 'session', 'api-token', 'guest', 'customer', 'live']

/** Collects the notifications of `topics` that a node receives after this call. */
function collectNotifications({ changes }: AppContext): Array<[Topic, ChangedKey]> {
  const received: Array<[Topic, ChangedKey]> = []
  for (const topic of topics) changes.on(topic, (key) => received.push([topic, key]))
  return received
}

const change = ({ settings }: AppContext) => settings.change({ branding_studio_name: `Studio ${Math.random()}` })

test('a change of a node notifies other nodes at its commit, without a call of the operation, and not if it is rolled back', async () => {
  const { first, second } = await twoNodes()
  const received = collectNotifications(second)
  await sql`insert into settings (key, value, updated_at) values ('a', '1', 1)`.execute(first.db)
  await expect.poll(() => received.splice(0)).toEqual([['settings', null]])
  const undone = first.db.transaction().execute(async (tx) => {
    await tx.insertInto('settings').values({ key: 'b', value: '1', updated_at: 1 }).execute()
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  // This notification arrives after all that were sent before it.
  first.changes.notify('live', 7)
  await expect.poll(() => received).toEqual([['live', 7]])
})

test('a change of a node is not received by the node itself', { tags: 'nightly' }, async () => {
  const { first, second } = await twoNodes()
  const [receivedFirst, receivedSecond] = [collectNotifications(first), collectNotifications(second)]
  await change(first)
  await expect.poll(() => receivedSecond).toEqual([['settings', null]])
  second.changes.notify('live', 7)
  await expect.poll(() => receivedFirst).toContainEqual(['live', 7])
  expect(receivedFirst).toEqual([
    ['settings', null],
    ['live', 7],
  ])
})

test('a change of a node is sent with its key; topics without a cache are not sent', { tags: 'nightly' }, async () => {
  const { first, second } = await twoNodes()
  const { id } = (await receiveFirstPhoto(first)).event
  const received = collectNotifications(second)
  await sql`update events set total_views = total_views + 1`.execute(first.db)
  await sql`update events set event_name = 'A' where id = -1`.execute(first.db)
  await sql`update events set event_name = 'B' where id = ${id}`.execute(first.db)
  const ofEvents = () => received.filter(([topic]) => topic === 'event')
  await expect.poll(ofEvents).toEqual([['event', id]])
})

test('a change of a node reaches the live streams of the others', { tags: 'nightly' }, async () => {
  const { first, second } = await twoNodes()
  const received = collectNotifications(second)
  for (let count = 0; count < 100; count++) first.changes.notify('live', 7)
  await expect.poll(() => received).toContainEqual(['live', 7])
  first.changes.notify('live', 8)
  await expect.poll(() => received).toContainEqual(['live', 8])
  expect(received.length).toBeLessThan(5)
})

test('a disconnected node does not use its caches, and drops them when it reconnects', async () => {
  const { second, first, way } = await twoNodes()
  const cache = new StateCache<number, { text: string }>(second.changes, { max: 10 })
  second.changes.on('settings', () => cache.drop())
  await cache.getOrLoad(1, async () => ({ text: 'before' }))
  way.stall()
  await change(first)
  await expect.poll(() => cache.get(1), { interval: 5 }).toBeUndefined()
  expect(await cache.getOrLoad(1, async () => ({ text: 'read anew' }))).toEqual({ text: 'read anew' })
  expect(await cache.getOrLoad(1, async () => ({ text: 'read once more' }))).toEqual({ text: 'read once more' })
  way.open()
  await expect.poll(() => second.changes.isDisconnected()).toBe(false)
  expect(cache.get(1)).toBeUndefined()
  await cache.getOrLoad(1, async () => ({ text: 'after' }))
  expect(cache.get(1)).toEqual({ text: 'after' })
  const received = collectNotifications(second)
  await change(first)
  await expect.poll(() => received).toEqual([['settings', null]])
})

test('a disconnected node stays disconnected until the connection works again', { tags: 'nightly' }, async () => {
  const { second, way } = await twoNodes()
  const received = collectNotifications(second)
  way.cut()
  await expect.poll(() => second.changes.isDisconnected(), { interval: 5 }).toBe(true)
  const attempts = way.attempts()
  await expect.poll(() => way.attempts()).toBeGreaterThan(attempts + 1)
  expect(second.changes.isDisconnected()).toBe(true)
  expect(received).toEqual([])
  way.open()
  await expect.poll(() => second.changes.isDisconnected()).toBe(false)
  expect(received.map(([topic]) => topic).sort()).toEqual([...topics].sort())
})

test('exclusive work runs on one node at a time, for one caller, and again after a failure', async () => {
  const { first, second } = await twoNodes()
  const { promise, resolve } = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const done = first.database.runExclusively('sweep', () => {
    begun.resolve()
    return promise
  })
  await begun.promise
  const never = () => Promise.reject(new Error('It is being done'))
  expect(await second.database.runExclusively('sweep', never)).toBe(false)
  expect(await first.database.runExclusively('sweep', never)).toBe(false)
  expect(await second.database.runExclusively('another', async () => undefined)).toBe(true)
  resolve()
  expect(await done).toBe(true)
  expect(await second.database.runExclusively('sweep', async () => undefined)).toBe(true)
  await expect(first.database.runExclusively('sweep', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await second.database.runExclusively('sweep', async () => undefined)).toBe(true)
})

test('exclusive work can run on another node after its node is lost', { tags: 'nightly' }, async () => {
  const { first, second, way } = await twoNodes()
  const begun = Promise.withResolvers<void>()
  void second.database.runExclusively('sweep', () => {
    begun.resolve()
    return new Promise(() => undefined)
  })
  await begun.promise
  expect(await first.database.runExclusively('sweep', async () => undefined)).toBe(false)
  way.cut()
  await expect.poll(() => first.database.runExclusively('sweep', async () => undefined)).toBe(true)
})
