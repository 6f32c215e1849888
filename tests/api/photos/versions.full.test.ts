import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import { hours } from '../../../server/platform/time/clock.ts'
import { registries } from '../../../server/registries.ts'
import { sweepStorage } from '../../../server/repair/sweep-storage.ts'
import { expectInvalidField, expectProblem } from '../../support/clients/problems.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { withAppContext } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { sendFiles } from '../../support/fixtures/guest-uploads.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles } from '../../support/storage/stored-files.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile()
const { api, admin } = service
await createTestWebhook(service)

let event: TestEvent
let ids: number[]
let ana: TestClient
beforeEach(() => openEvent())

async function openEvent(body: Record<string, unknown> = {}, count = 2) {
  event = await createEvent(api, { keep_versions: true, ...body })
  ids = await uploadPhotos(api, event.id, count)
  ana = await enterNamed('Ana')
}

async function enterNamed(name: string): Promise<TestClient> {
  const guest = await enterAsGuest(service, event)
  const named = await guest.post(gallery('/guest'), { name })
  expect(named.status).toBe(200)
  return guest
}

const gallery = (rest: string) => `/api/gallery/${event.slug}${rest}`
const ofEvent = (rest: string) => `/api/v1/events/${event.id}${rest}`
const versionsPath = (photo = 0) => ofEvent(`/photos/${ids[photo]}/versions`)
const addVersion = async (seed: number, { photo = 0, note = '', name = 'retouched.jpg' } = {}) =>
  sendFiles(api, versionsPath(photo), [{ bytes: await jpeg({ seed, width: 200, height: 150 }), name }], {
    field: 'photo',
    ...(note && { fields: { note } }),
  })
const versionsOf = async (guest: TestClient, photo = 0) =>
  (await guest.get(gallery(`/photos/${ids[photo]}/versions`))).body
type DecisionFields = { photo?: number; version?: number; comment?: string }
const decide = (guest: TestClient, decision: string | null, { photo = 0, version = 1, ...body }: DecisionFields = {}) =>
  guest.put(gallery(`/photos/${ids[photo]}/versions/${version}/decision`), { decision, ...body })
const review = async (query = '') => (await api.get(ofEvent(`/decisions${query}`))).body
const statesOf = async () =>
  Object.fromEntries(
    (await review()).photos.map((one: { photo_id: number; state: string }) => [one.photo_id, one.state]),
  )
const sizeOf = async (bytes: Uint8Array) => {
  const { width, height } = await sharp(bytes).metadata()
  return [width, height]
}
const picture = (guest: TestClient, query: string, photo = 0) => guest.get(gallery(`/photo/${ids[photo]}${query}`))

test('a version keeps the earlier file, has the next number and a note, and is announced with it', {
  tags: ['database', 'storage'],
}, async () => {
  const before = (await api.get(ofEvent(`/photos/${ids[0]}`))).body
  const usedBytes = async () => (await admin.get('/api/admin/dashboard')).body.photos.size_bytes
  const used = await usedBytes()
  const added = await addVersion(11, { note: '  Skin and sky ' })
  expect(added.status).toBe(201)
  expect(added.body.versions).toMatchObject([
    { number: 1, is_current: false, note: null, content_hash: before.content_hash, deleted_at: null },
    { number: 2, is_current: true, note: 'Skin and sky', original_filename: 'retouched.jpg', until_at: null },
  ])
  const [first, second] = added.body.versions
  expect([first.from_at, first.until_at]).toEqual([before.uploaded_at, second.from_at])
  const after = (await api.get(ofEvent(`/photos/${ids[0]}`))).body
  expect(after).toMatchObject({ id: ids[0], source_filename: 'photo-1.jpg', content_hash: second.content_hash })
  expect(listAnnouncedOf(service, event.id).at(-1)).toMatchObject({
    type: 'photo.uploaded',
    data: { photo: { id: ids[0], replaced: true, version: 2 } },
  })
  expect((await api.get(ofEvent('/versions'))).body).toEqual({ count: 1, size_bytes: first.size_bytes })
  expect(await usedBytes()).toBe(used + second.size_bytes)
  // The totals of the event count what lists and downloads have.
  const { total_size } = (await api.get(ofEvent(''))).body
  expect(total_size).toBe(second.size_bytes + (await api.get(ofEvent(`/photos/${ids[1]}`))).body.size_bytes)
})

test('what cannot become a version is refused, and changes nothing', async () => {
  await addVersion(11)
  expectProblem(await addVersion(11), 409, 'INVALID_STATE')
  for (const note of ['x'.repeat(501), 'a\0b']) expectInvalidField(await addVersion(12, { note }), 'note')
  const other = await createEvent(api, { keep_versions: true })
  const [theirs = 0] = await uploadPhotos(api, other.id, 1)
  const file = { bytes: await jpeg({ seed: 12 }), name: 'a.jpg' }
  const elsewhere = await sendFiles(api, ofEvent(`/photos/${theirs}/versions`), [file], { field: 'photo' })
  expectProblem(elsewhere, 404, 'NOT_FOUND')
  const init = { filename: 'a.jpg', fileSize: 100 }
  const initPath = ofEvent('/chunked-upload/init')
  expectInvalidField(
    await api.post(initPath, { ...init, adds_version_to: ids[0], replaces_photo_id: ids[0] }),
    'adds_version_to',
  )
  await admin.patch(`/api/admin/events/${event.id}`, { keep_versions: false })
  expectProblem(await addVersion(12), 409, 'INVALID_STATE')
  expectProblem(await api.post(initPath, { ...init, adds_version_to: ids[0] }), 409, 'INVALID_STATE')
  expect((await api.get(versionsPath())).body.versions).toHaveLength(2)
})

test('a chunked upload adds a version, and a replacement of the contract does too', async () => {
  const bytes = await jpeg({ seed: 13 })
  const { body: upload } = await api.post(ofEvent('/chunked-upload/init'), {
    filename: 'large.jpg',
    fileSize: bytes.length,
    adds_version_to: ids[0],
  })
  const headers = { 'content-type': 'application/octet-stream' }
  const path = ofEvent(`/chunked-upload/${upload.uploadId}`)
  await api.call('POST', `${path}/chunk/0`, { headers, body: bytes })
  expect((await api.post(`${path}/complete`, {})).body.photos).toMatchObject([{ id: ids[0] }])
  expect(listAnnouncedOf(service, event.id).at(-1)?.data.photo.version).toBe(2)

  const replaced = await api.upload(event.id, await jpeg({ seed: 14 }), { fields: { replaces_photo_id: ids[0] ?? 0 } })
  expect(replaced.status).toBe(200)
  expect(listAnnouncedOf(service, event.id).at(-1)?.data.photo).not.toHaveProperty('version')
  // The same file again is no version.
  await api.upload(event.id, await jpeg({ seed: 14 }), { fields: { replaces_photo_id: ids[0] ?? 0 } })
  const { versions } = (await api.get(versionsPath())).body
  expect(versions.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3])

  // Undoing a replacement adds the earlier file once more.
  const undo = await admin.post(`/api/admin/photos/${event.id}/photos/${ids[0]}/undo-replacement`, {})
  expect(undo.status).toBe(200)
  const undone = (await api.get(versionsPath())).body.versions
  expect(undone.map(({ content_hash }: { content_hash: string }) => content_hash)).toEqual([
    ...versions.map(({ content_hash }: { content_hash: string }) => content_hash),
    versions[1].content_hash,
  ])
})

test('a plug-in gets the same replies and webhooks, whether the event keeps versions or not', async () => {
  const runs = []
  for (const keep_versions of [false, true]) {
    await openEvent({ keep_versions }, 1)
    const id = ids[0] ?? 0
    const replies = []
    for (const seed of [31, 32, 32]) {
      replies.push(
        await api.upload(event.id, await jpeg({ seed }), { name: 'IMG_1.jpg', fields: { replaces_photo_id: id } }),
      )
    }
    replies.push(await api.get(ofEvent('/photos')), await api.get(ofEvent(`/photos/${id}`)))
    replies.push(await api.delete(ofEvent(`/photos/${id}`)), await api.get(ofEvent('/photos')))
    const text = JSON.stringify([
      replies.map(({ status, body }) => ({ status, body })),
      listAnnouncedOf(service, event.id).map(({ type, data }) => ({ type, data })),
    ])
    runs.push(
      text
        .replaceAll(event.share_token, 'token')
        .replaceAll(event.slug, 'slug')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
        .replaceAll(/\d{13}_[0-9a-f]{8}/g, 'file')
        .replaceAll(new RegExp(`"id":(${id}|${event.id})\\b`, 'g'), '"id":0'),
    )
  }
  expect(runs[1]).toBe(runs[0])
})

describe('guests', () => {
  test('see the newest, and earlier versions only as renditions', { tags: 'storage' }, async () => {
    await addVersion(11, { note: 'Skin' })
    expect(await versionsOf(ana)).toMatchObject({
      versions: [
        { number: 1, is_current: false, note: null },
        { number: 2, is_current: true, note: 'Skin', width: 200 },
      ],
      can_decide: true,
      decision: null,
    })
    const current = await picture(ana, '')
    expect((await picture(ana, '?version=2')).bytes.equals(current.bytes)).toBe(true)
    const accept = { accept: 'image/webp' }
    for (const query of ['?version=1', '?version=1&w=640']) {
      const { status, headers } = await ana.get(gallery(`/photo/${ids[0]}${query}`), accept)
      expect([status, headers.get('content-type')]).toEqual([200, 'image/webp'])
    }
    // Downloads take no version.
    const download = await ana.get(gallery(`/download/${ids[0]}?version=1`))
    expect(download.bytes.equals(current.bytes)).toBe(true)
    for (const query of ['?version=3', '?version=3&w=640']) expectProblem(await picture(ana, query), 404, 'NOT_FOUND')
    expect((await picture(ana, '?version=0')).status).toBe(400)
    const preview = await api.get(ofEvent(`/photos/${ids[0]}/preview?version=1`), accept)
    expect(await sizeOf(preview.bytes)).toEqual([60, 40])

    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'hidden' })
    expectProblem(await picture(ana, '?version=1'), 404, 'NOT_FOUND')
    expectProblem(await ana.get(gallery(`/photos/${ids[0]}/versions`)), 404, 'NOT_FOUND')
    await admin.patch(`/api/admin/photos/${event.id}/photos/${ids[0]}`, { visibility: 'visible' })
    await admin.patch(`/api/admin/events/${event.id}`, { keep_versions: false })
    expectProblem(await picture(ana, '?version=1'), 404, 'NOT_FOUND')
    expect(await versionsOf(ana)).toMatchObject({ versions: [{ number: 2 }], can_decide: false })
    expectProblem(await decide(ana, 'approved', { version: 2 }), 409, 'INVALID_STATE')
  })

  test('decide with a name about the current version, whose decision no later version and no other file has', {
    tags: 'database',
  }, async () => {
    const nameless = await enterAsGuest(service, event)
    expectInvalidField(await decide(nameless, 'approved'), 'guest_name')
    expectProblem(await decide(ana, 'approved', { version: 2 }), 404, 'NOT_FOUND')
    const types = () => listAnnouncedOf(service, event.id).map(({ type }) => type)
    const asked = await decide(ana, 'changes_wanted', { comment: ' Please remove the sign ' })
    expect(asked.body).toMatchObject({ decision: 'changes_wanted', can_decide: true })
    expect(types().slice(-2)).toEqual(['photo.changes_requested', 'thread.created'])
    // The words begin a thread, although this event has no private notes. The guest can answer in it.
    const { threads } = (await ana.get(gallery(`/photos/${ids[0]}/threads`))).body
    expect(threads).toMatchObject([{ kind: 'note', text: 'Please remove the sign', version: 1, can_answer: true }])
    expect(await statesOf()).toEqual({ [ids[0] ?? 0]: 'changes_wanted' })

    await addVersion(11)
    expect(await statesOf()).toEqual({ [ids[0] ?? 0]: 'waiting' })
    expect((await versionsOf(ana)).decision).toBeNull()
    expectProblem(await decide(ana, 'approved'), 409, 'VERSION_NOT_CURRENT')
    await decide(ana, 'approved', { version: 2 })
    await decide(ana, 'approved', { version: 2 })
    expect(types().filter((type) => type === 'photo.approved')).toHaveLength(1)
    expect(listAnnouncedOf(service, event.id).at(-1)?.data).toMatchObject({
      photo: { id: ids[0] },
      decision: { version: 2, decision: 'approved' },
      guest: { name: 'Ana' },
    })
    const [photo] = (await review()).photos
    expect(photo).toMatchObject({ version: 2, state: 'approved', waiting_for: [] })
    expect(photo.decisions).toMatchObject([
      { version: 1, decision: 'changes_wanted', guest_name: 'Ana', is_current: false },
      { version: 2, decision: 'approved', guest_name: 'Ana', is_current: true },
    ])
    await decide(ana, null, { version: 2 })
    expect(await statesOf()).toEqual({ [ids[0] ?? 0]: 'waiting' })
    await decide(ana, 'approved_with_changes', { version: 2 })

    // Another file without a new version.
    await admin.patch(`/api/admin/events/${event.id}`, { keep_versions: false })
    await api.upload(event.id, await jpeg({ seed: 15 }), { fields: { replaces_photo_id: ids[0] ?? 0 } })
    await admin.patch(`/api/admin/events/${event.id}`, { keep_versions: true })
    expect((await versionsOf(ana)).decision).toBeNull()
    expect(await statesOf()).toEqual({ [ids[0] ?? 0]: 'waiting' })
    await admin.patch(`/api/admin/events/${event.id}`, { feedback_enabled: false })
    expectProblem(await decide(ana, 'approved', { version: 2 }), 403, 'FEEDBACK_DISABLED')
  })

  test('a repeated request writes its words once', async () => {
    const path = gallery(`/photos/${ids[0]}/versions/1/decision`)
    const body = { decision: 'changes_wanted', comment: 'Darker' }
    const send = () => ana.put(path, body, { 'idempotency-key': 'decide-once-0123456789' })
    expect((await send()).body).toEqual((await send()).body)
    expect((await ana.get(gallery(`/photos/${ids[0]}/threads`))).body.threads).toHaveLength(1)
  })

  test('of a package decide about the photos of their latest selection; the strictest decision counts', {
    tags: 'database',
  }, async () => {
    await openEvent({}, 3)
    await admin.put(`/api/admin/events/${event.id}/package`, { purpose: 'Album', included: 2 })
    const ben = await enterNamed('Ben')
    const pick = (guest: TestClient, photo: number) =>
      guest.post(gallery(`/photos/${ids[photo]}/feedback`), { feedback_type: 'favorite' })
    expectProblem(await decide(ana, 'approved'), 403, 'FORBIDDEN')
    for (const guest of [ana, ben]) await pick(guest, 0)
    await pick(ana, 1)
    for (const guest of [ana, ben]) expect((await guest.post(gallery('/selection'), {})).status).toBe(200)
    expectProblem(await decide(ana, 'approved', { photo: 2 }), 403, 'FORBIDDEN')
    expect((await versionsOf(ana, 2)).can_decide).toBe(false)
    await addVersion(21)
    expect(await review('?state=waiting')).toMatchObject({
      photos: [{ photo_id: ids[0], waiting_for: [{ guest_name: 'Ana' }, { guest_name: 'Ben' }] }],
      asked_count: 2,
      approved_count: 0,
      pagination: { total: 1 },
    })
    await decide(ana, 'approved', { version: 2 })
    expect((await review(`?photo_id=${ids[0]}`)).photos).toMatchObject([
      { state: 'waiting', waiting_for: [{ guest_name: 'Ben' }] },
    ])
    await decide(ben, 'changes_wanted', { version: 2 })
    expect((await statesOf())[ids[0] ?? 0]).toBe('changes_wanted')
    const listed = await admin.get(`/api/admin/photos/${event.id}/photo-ids?decision=changes_wanted`)
    expect(listed.body.ids).toEqual([ids[0]])
    await decide(ben, 'approved_with_changes', { version: 2 })
    expect((await statesOf())[ids[0] ?? 0]).toBe('approved_with_changes')
    await decide(ana, 'approved', { photo: 1 })
    expect(await review()).toMatchObject({ asked_count: 2, approved_count: 2 })
    await decide(ana, 'approved_with_changes', { photo: 1 })
    const live = readDatabase(service, (stored) =>
      stored.prepare("select data from live_events where event_id = ? and type = 'decision'").pluck().all(event.id),
    ).map((data) => JSON.parse(String(data)))
    expect(live.map(({ did }) => did)).toEqual(['decided', 'decided', 'decided', 'decided', 'completed', 'decided'])
    expect(live[4]).toMatchObject({ count: 2 })
  })

  test('a merge keeps the later decision, and an erasure keeps it without the guest', {
    tags: 'database',
  }, async () => {
    const ben = await enterNamed('Ben')
    await decide(ana, 'changes_wanted')
    await decide(ben, 'approved')
    const idOf = async (guest: TestClient) => (await guest.get(gallery('/session'))).body.guest.id as string
    const [anaId, benId] = [await idOf(ana), await idOf(ben)]
    const merged = await admin.post(`/api/admin/events/${event.id}/guests/merge`, { from: benId, into: anaId })
    expect(merged.status).toBe(200)
    const decisions = async () => (await review()).photos[0].decisions
    expect(await decisions()).toMatchObject([{ guest_id: anaId, guest_name: 'Ana', decision: 'approved' }])
    expect((await admin.delete(`/api/admin/events/${event.id}/guests/${anaId}`)).status).toBe(200)
    expect(await decisions()).toMatchObject([{ guest_id: null, guest_name: null, decision: 'approved' }])
  })
})

describe('files', () => {
  const sweepAfter = (ms: number) =>
    withAppContext(service, (ctx) => sweepStorage({ ...ctx, clock: { ...ctx.clock, now: () => ctx.clock.now() + ms } }))
  const storedOriginals = async () =>
    (await listStoredFiles(service)).filter((name) => name.startsWith(`files/events/${event.id}/originals/`))
  const originalsOf = async () =>
    (await api.get(versionsPath())).body.versions.map(({ filename }: { filename: string }) => filename) as string[]

  test('of three versions stay through trash, a sweep after 25 hours and a restore, and go with the photo', {
    tags: 'storage',
  }, async () => {
    await addVersion(41)
    await addVersion(42)
    const names = await originalsOf()
    expect(names).toHaveLength(3)
    const isStored = async () => {
      const stored = await storedOriginals()
      return names.map((name) => stored.some((path) => path.endsWith(name)))
    }
    await admin.post(`/api/admin/photos/${event.id}/trash`, { photoIds: [ids[0]] })
    await sweepAfter(hours(25))
    expect(await isStored()).toEqual([true, true, true])
    await admin.post(`/api/admin/photos/${event.id}/trash/bulk-restore`, { photoIds: [ids[0]] })
    expect((await picture(ana, '?version=1&w=640')).status).toBe(200)
    expect((await versionsOf(ana)).versions).toHaveLength(3)

    expect((await api.delete(ofEvent(`/photos/${ids[0]}`))).status).toBe(200)
    await sweepAfter(hours(2))
    expect(await isStored()).toEqual([false, false, false])
    const rows = readDatabase(service, (stored) =>
      stored.prepare('select count(*) from photo_versions where event_id = ?').pluck().get(event.id),
    )
    expect(Number(rows)).toBe(0)
  })

  test('of earlier versions are deleted, and their numbers and decisions stay', { tags: 'database' }, async () => {
    await decide(ana, 'approved')
    await addVersion(41)
    await addVersion(42)
    await addVersion(43, { photo: 1 })
    for (const version of [1, 2]) await picture(ana, `?version=${version}&w=640`)
    const [first] = await originalsOf()
    const version = (number: number) => api.delete(`${versionsPath()}/${number}`)
    expectProblem(await version(3), 409, 'INVALID_STATE')
    expectProblem(await version(4), 404, 'NOT_FOUND')
    expect((await version(1)).body).toEqual({ success: true, deleted: 1 })
    expectProblem(await version(1), 404, 'NOT_FOUND')
    expectProblem(await picture(ana, '?version=1&w=640'), 404, 'NOT_FOUND')
    expect((await picture(ana, '?version=2&w=640')).status).toBe(200)
    await sweepAfter(hours(2))
    expect((await storedOriginals()).some((path) => path.endsWith(first ?? ''))).toBe(false)

    expect((await api.delete(ofEvent('/versions'))).body).toEqual({ success: true, deleted: 2 })
    expect((await api.get(ofEvent('/versions'))).body).toEqual({ count: 0, size_bytes: 0 })
    expect((await versionsOf(ana)).versions).toMatchObject([{ number: 3, is_current: true }])
    expect((await review(`?photo_id=${ids[0]}`)).photos[0].decisions).toMatchObject([{ version: 1 }])
    await addVersion(44)
    const { versions } = (await api.get(versionsPath())).body
    expect(
      versions.map((one: { number: number; deleted_at: string | null }) => [one.number, one.deleted_at !== null]),
    ).toEqual([
      [1, true],
      [2, true],
      [3, false],
      [4, false],
    ])
  })

  test('of earlier versions are known contents, and are listed for backups and moves', async () => {
    const { content_hash, size_bytes } = (await api.get(ofEvent(`/photos/${ids[0]}`))).body
    await addVersion(41)
    const body = { hashes: [content_hash], sizes: [size_bytes] }
    const known = (await admin.post(`/api/admin/photos/${event.id}/known`, body)).body
    expect(known).toMatchObject({ known: {}, earlier: { [content_hash]: ids[0] }, sizes: [size_bytes] })
    const [name] = await originalsOf()
    await withAppContext(service, async (ctx) => {
      const files = []
      for (const { isInBackups, list } of registries.storedFiles) {
        if (isInBackups) for await (const batch of list(ctx.db)) files.push(...batch)
      }
      const file = files.find(({ key }) => key.endsWith(name ?? ''))
      expect(file).toMatchObject({ photoId: ids[0], contentHash: content_hash, sizeBytes: size_bytes })
      const named = await Promise.all(registries.storedFiles.map((one) => file && one.isNamed(ctx.db, file)))
      expect(named.filter(Boolean)).toHaveLength(1)
    })
    await changeDatabase(service, (stored) => stored.exec('update photo_versions set deleted_at = 1'))
    expect((await admin.post(`/api/admin/photos/${event.id}/known`, body)).body).not.toHaveProperty('earlier')
  })
})
