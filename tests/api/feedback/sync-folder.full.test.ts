import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createProofroom } from '../../../clients/typescript/source/index.ts'
import { writeEmbedded } from '../../../server/commands/sync/embedded-files.ts'
import { syncFolder } from '../../../server/commands/sync/sync-folder.ts'
import type { SyncOptions } from '../../../server/commands/sync/sync-options.ts'
import { isComplete } from '../../../server/commands/sync/sync-report.ts'
import { labelNames } from '../../../server/feedback/marks/label-names.ts'
import { readXmp } from '../../../server/platform/xmp/read-xmp.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { createMarking } from '../../support/fixtures/marks.ts'
import { dngFile } from '../../support/media/dng-files.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { sidecarForms } from '../../support/media/sidecar-forms.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { placeOf } from '../../support/storage/file-place.ts'

const service = await serviceForFile()
const { admin, api } = service
const { body: created } = await admin.post('/api/admin/api-tokens', {
  name: 'sync',
  scopes: ['write'],
  reads_notes: true,
})
const client = createProofroom({ baseUrl: service.url, token: created.token })

let event: TestEvent
let folder: string
let ana: TestClient
let ids: number[]
const { rate, label, favor, give } = createMarking(service, () => ({ event, ids: ids as [number, number] }))

/** Uploads `IMG_1.jpg` and so on, one photo for each number. */
async function open(count: number, body = {}): Promise<Buffer[]> {
  event = await createEvent(api, { allow_notes: true, ...body })
  ana = await enterAsGuest(service, event)
  ids = []
  const pictures: Buffer[] = []
  for (let number = 1; number <= count; number++) {
    const picture = await jpeg({ seed: number })
    const { body: photo } = await api.upload(event.id, picture, { name: `IMG_${number}.jpg` })
    ids.push(photo.id)
    pictures.push(picture)
  }
  return pictures
}

beforeEach(async () => {
  folder = await temporaryFolder()
})

async function write(files: Record<string, Uint8Array | string>): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
}

const sync = (options: Partial<SyncOptions> = {}) =>
  syncFolder(client, {
    eventId: event.id,
    host: new URL(service.url).host,
    folder,
    markSource: 'client',
    prefer: 'client',
    labels: labelNames.en,
    unratedAs: null,
    unlabeledAs: null,
    hasFullNames: false,
    isEmbedding: false,
    hasKeywords: false,
    hasNotes: false,
    onlyChanged: false,
    isDryRun: false,
    isPush: false,
    onProgress: () => undefined,
    isStopped: () => false,
    ...options,
  })

const readSidecar = async (path: string) => readXmp(await readFile(join(folder, path)))
const readRatings = async (): Promise<number[]> => {
  const ratings: number[] = []
  for (const number of ids.keys()) ratings.push((await readSidecar(`IMG_${number + 1}.xmp`)).rating ?? 0)
  return ratings
}
const setTime = (path: string, time: number) => utimes(join(folder, path), new Date(time), new Date(time))
const rated = (rating: string, date?: string) =>
  sidecarForms
    .bridge({ rating, label: null })
    .replace('xmp:ModifyDate="2026-05-01T10:00:00+02:00"', date ? `xmp:MetadataDate="${date}"` : '')
const hour = 3_600_000

test('prefers the newest side, by the time of the program or of the file, and leaves alone what is unknown', async () => {
  await open(4)
  const now = Date.now()
  const iso = (time: number) => new Date(time).toISOString()
  await write({
    ...Object.fromEntries(ids.map((_, index) => [`IMG_${index + 1}.NEF`, 'raw'])),
    'IMG_1.xmp': rated('1'),
    'IMG_2.xmp': rated('1'),
    'IMG_3.xmp': rated('1', iso(now - 2 * hour)),
    'IMG_4.xmp': rated('1', iso(now + 2 * hour)),
  })
  for (const number of [2, 3]) await setTime(`IMG_${number}.xmp`, now + 2 * hour)
  for (const number of [1, 4]) await setTime(`IMG_${number}.xmp`, now - 2 * hour)
  for (const id of ids) await rate(ana, 5, id)
  const first = await sync({ prefer: 'newest' })
  expect(await readRatings()).toEqual([5, 1, 5, 1])
  expect(first.written).toEqual(expect.arrayContaining(['IMG_1.xmp', 'IMG_3.xmp']))
  expect([first.undecided, isComplete(first)]).toEqual([[], true])

  // The program does not say that it has changed the rating again, and the file has a time before the last sync.
  const before = await readFile(join(folder, 'IMG_3.xmp'), 'utf8')
  await write({ 'IMG_3.xmp': before.replace('Rating="5"', 'Rating="2"') })
  await setTime('IMG_3.xmp', now - hour)
  await rate(ana, 4, ids[2])
  const second = await sync({ prefer: 'newest' })
  expect(second).toMatchObject({
    undecided: [{ path: 'IMG_3', file: { rating: 2 }, service: { rating: 4 } }],
    conflicts: [],
  })
  expect(isComplete(second)).toBe(false)
  expect((await readRatings())[2]).toBe(2)
  expect((await sync({ prefer: 'newest' })).undecided).toHaveLength(1)
  await setTime('IMG_3.xmp', now + hour)
  expect(await sync({ prefer: 'newest' })).toMatchObject({ undecided: [], conflicts: [{ path: 'IMG_3' }] })
  expect((await readRatings())[2]).toBe(2)
  const quiet = await sync({ prefer: 'newest' })
  expect(quiet).toMatchObject({ written: [], conflicts: [], undecided: [] })
})

test('writes marks into JPEG and DNG files, finds them again, and takes them for marks of guests', async () => {
  await admin.put('/api/admin/settings', { general_read_culling_marks: true })
  const [first, second] = (await open(3)) as [Buffer, Buffer]
  await rate(ana, 5)
  await label(ana, 'green')
  await rate(ana, 3, ids[1])
  await favor(ana, ids[2])
  const dng = dngFile()
  await write({ 'IMG_1.jpg': first, 'B/IMG_2.jpg': second, 'B/IMG_2.NEF': 'raw', 'IMG_3.dng': dng })
  expect((await sync({ unratedAs: 4 })).without_sidecar).toEqual(['IMG_1'])
  expect((await readdir(folder)).sort()).toEqual(['.proofroom', 'B', 'IMG_1.jpg', 'IMG_3.dng', 'IMG_3.xmp'])

  const [left, recent] = ['.0123456789ab.proofroom-part', 'B/.ba9876543210.proofroom-part']
  await write({ [left]: first, [recent]: second })
  await setTime(left, Date.now() - 2 * hour)
  await sync({ isPush: true, isDryRun: true })
  expect(await readdir(folder)).toContain(left)
  const planned = await sync({ unratedAs: 4, isEmbedding: true, isDryRun: true })
  expect(planned.embedded).toEqual(['B/IMG_2.jpg', 'IMG_1.jpg', 'IMG_3.dng'])
  expect((await readFile(join(folder, 'IMG_1.jpg'))).equals(first)).toBe(true)
  const report = await sync({ unratedAs: 4, isEmbedding: true })
  expect(report).toMatchObject({ embedded: planned.embedded, written: [], without_sidecar: [], failed: [] })
  expect(isComplete(report)).toBe(true)
  expect(await readdir(folder)).not.toContain(left)
  expect(await readdir(join(folder, 'B'))).toContain('.ba9876543210.proofroom-part')
  const again = await sync({ unratedAs: 4, isEmbedding: true })
  expect(again).toMatchObject({ embedded: [], written: [], matched: { identity: 3, content: 0 } })
  await rename(join(folder, 'IMG_1.jpg'), join(folder, 'B/Anna.jpg'))
  // Without --embed, nothing is missing that is there already.
  expect(await sync({ unratedAs: 4 })).toMatchObject({ matched: { identity: 3 }, without_sidecar: [], kept: [] })

  expect((await sync({ isPush: true })).pushed).toEqual([])
  const path = join(folder, 'B/Anna.jpg')
  const uploaded = await api.upload(event.id, await readFile(path), { name: 'Anna.jpg' })
  expect(uploaded.body).toMatchObject({ my_rating: null, my_color_label: null })
  const identity = `${new URL(service.url).host}/${event.id}/${ids[0]}`
  await writeEmbedded(
    placeOf(path),
    { write: { rating: 2 }, labels: labelNames.en, identity, synced: '5 green' },
    false,
  )
  expect((await sync({ isPush: true })).pushed).toEqual([{ path: 'B/Anna', photo_id: ids[0] }])
  expect((await api.get(`/api/v1/events/${event.id}/photos/${ids[0]}`)).body).toMatchObject({
    my_rating: 2,
    my_color_label: null,
  })
})

test('writes keywords and notes of guests, changes and removes its own, and leaves those of others', async () => {
  const pictures = await open(2)
  const ben = await enterAsGuest(service, event)
  await give(ana, { feedback_type: 'favorite', guest_name: 'Ana | Zoë' })
  const { body: comment } = await give(ana, { feedback_type: 'comment', comment_text: 'A little\nbrighter?' })
  await give(ana, { feedback_type: 'comment', comment_text: 'Not approved' })
  await api.put(`/api/v1/events/${event.id}/comments/${comment.id}/approve`, {})
  await favor(ben)
  await ben.post(`/api/gallery/${event.slug}/notes`, { text: 'No mole, please', photo_id: ids[0] })
  const original = sidecarForms.lightroom({ rating: '2', label: null })
  await write({ 'IMG_1.NEF': 'raw', 'IMG_1.xmp': original, 'IMG_2.jpg': pictures[1] as Buffer, 'IMG_2.NEF': 'raw' })
  const words = { hasKeywords: true, hasNotes: true, isEmbedding: true }
  expect(await sync(words)).toMatchObject({ written: ['IMG_1.xmp'], embedded: [], failed: [] })
  const { keywords, instructions, rating } = await readSidecar('IMG_1.xmp')
  expect(keywords).toEqual(['wedding', 'Zoë & Ana', 'Proofroom: picked by Ana Zoë', 'Proofroom: picked by a guest'])
  expect(instructions).toBe(
    '[Proofroom]\nAna | Zoë: A little\nbrighter?\nA guest (private): No mole, please\n[/Proofroom]',
  )
  expect(rating).toBe(2)
  const { mtimeMs } = await stat(join(folder, 'IMG_1.xmp'))
  expect((await sync(words)).written).toEqual([])
  expect((await sync({ ...words, onlyChanged: true })).written).toEqual([])
  expect((await stat(join(folder, 'IMG_1.xmp'))).mtimeMs).toBe(mtimeMs)

  await favor(ben)
  expect((await sync({ hasKeywords: true, onlyChanged: true })).written).toEqual(['IMG_1.xmp'])
  expect((await readSidecar('IMG_1.xmp')).keywords).toEqual(['wedding', 'Zoë & Ana', 'Proofroom: picked by Ana Zoë'])
  expect((await readSidecar('IMG_1.xmp')).instructions).toContain('No mole')
})

test('writes open threads with their answers, and takes its words away when they are settled or deleted', async () => {
  const pictures = await open(2, { allow_annotations: true, moderate_comments: true })
  const threads = `/api/v1/events/${event.id}/threads`
  const begin = async (body: object) =>
    (await ana.post(`/api/gallery/${event.slug}/photos/${ids[0]}/threads`, body)).body.id
  const box = await begin({
    kind: 'box',
    x: 0,
    y: 0,
    w: 200_000,
    h: 200_000,
    text: 'Remove the sign',
    guest_name: 'Ana',
  })
  const pin = await begin({ kind: 'pin', x: 900_000, y: 900_000, text: 'And this' })
  await api.post(`${threads}/${box}/messages`, { text: 'Done, please look' })
  const comment = (await give(ana, { feedback_type: 'comment', comment_text: 'Brighter?' })).body.id
  await api.put(`/api/v1/events/${event.id}/comments/${comment}/approve`, {})
  const { body: commented } = await api.get(`${threads}?kind=comment`)
  const ben = await enterAsGuest(service, event)
  const answers = `/api/gallery/${event.slug}/threads/${commented.threads[0].id}/messages`
  expect((await ben.post(answers, { text: 'Not approved' })).status).toBe(200)

  const mine = 'Print on matte paper'
  const original = sidecarForms
    .bridge({ rating: '2', label: null })
    .replace('<rdf:Description', `$& photoshop:Instructions="${mine}"`)
  await write({ 'IMG_1.NEF': 'raw', 'IMG_1.xmp': original, 'IMG_1.jpg': pictures[0] as Buffer })
  const words = { hasNotes: true, isEmbedding: true }
  expect(await sync(words)).toMatchObject({ written: ['IMG_1.xmp'], embedded: ['IMG_1.jpg'], failed: [] })
  const read = async () => (await readSidecar('IMG_1.xmp')).instructions
  const ofBox = 'Ana (box, upper left): Remove the sign\n- Studio: Done, please look'
  const ofPin = 'Ana (pin, lower right): And this'
  expect(await read()).toBe(`${mine}\n[Proofroom]\n${ofBox}\n${ofPin}\nAna: Brighter?\n[/Proofroom]`)
  // The words are no marks and no feedback of the program that reads the file.
  expect((await sync({ isPush: true })).pushed).toEqual([{ path: 'IMG_1', photo_id: ids[0] }])
  const uploaded = await api.upload(event.id, await readFile(join(folder, 'IMG_1.jpg')), { name: 'again.jpg' })
  expect((await api.get(`${threads}?photo_id=${uploaded.body.id}`)).body.threads).toEqual([])

  await api.put(`${threads}/${box}/state`, { state: 'done' })
  expect((await sync({ ...words, onlyChanged: true })).written).toEqual(['IMG_1.xmp'])
  expect(await read()).toBe(`${mine}\n[Proofroom]\n${ofPin}\nAna: Brighter?\n[/Proofroom]`)
  await api.put(`${threads}/${pin}/state`, { state: 'done' })
  await api.delete(`/api/v1/events/${event.id}/comments/${comment}`)
  const { body: left } = await api.get(`${threads}?state=open`)
  for (const { id } of left.threads) await api.put(`${threads}/${id}/state`, { state: 'done' })
  await sync(words)
  expect(await read()).toBe(mine)
  expect((await sync(words)).written).toEqual([])
})

test('takes the photos of a selection with the marks that were submitted in its round, and names the round', async () => {
  await open(3)
  await api.put(`/api/v1/events/${event.id}/package`, { purpose: 'Album', included: 2 })
  await favor(ana, ids[0])
  await favor(ana, ids[1])
  await rate(ana, 4, ids[0])
  await rate(ana, 3, ids[2])
  await ana.post(`/api/gallery/${event.slug}/selection`, {})
  const [round] = (await api.get(`/api/v1/events/${event.id}/rounds`)).body.rounds
  await api.post(`/api/v1/events/${event.id}/rounds/${round.id}/reopen`, { message: 'Again' })
  await rate(ana, 1, ids[0])
  await write({ 'IMG_1.NEF': 'raw', 'IMG_2.NEF': 'raw', 'IMG_3.NEF': 'raw' })
  const report = await sync({ selectionId: round.selection_id, unratedAs: 5 })
  expect(report).toMatchObject({ round: 1, photos: 2, written: ['IMG_1.xmp', 'IMG_2.xmp'] })
  expect([(await readSidecar('IMG_1.xmp')).rating, (await readSidecar('IMG_2.xmp')).rating]).toEqual([4, 5])

  await api.delete(`/api/v1/events/${event.id}/package`)
  await ana.post(`/api/gallery/${event.slug}/selection`, {})
  const [{ id }] = (await api.get(`/api/v1/events/${event.id}/selections`)).body.selections
  await expect(sync({ selectionId: id })).rejects.toThrow(`The selection ${id} was submitted without a package`)
})
