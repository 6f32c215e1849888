import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { readXmp } from '../../../server/platform/xmp/read-xmp.ts'
import { createApiToken } from '../../support/fixtures/accounts.ts'
import { createEvent, enterAsGuest, type TestEvent } from '../../support/fixtures/events.ts'
import { jpeg, jpegWithXmp } from '../../support/media/pictures.ts'
import { rawFile } from '../../support/media/raw-files.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { type CommandResult, runToEnd } from '../../support/service/proofroom-command.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, api } = service
const token = await createApiToken(admin, ['write'])

const sync = (event: TestEvent, folder: string, ...options: string[]): Promise<CommandResult> =>
  runToEnd(['sync', String(event.id), folder, ...options], {
    PROOFROOM_URL: service.url,
    PROOFROOM_TOKEN: token,
  })

async function syncWithReport(event: TestEvent, folder: string, ...options: string[]) {
  const { code, stdout, stderr } = await sync(event, folder, '--json', ...options)
  return { code, stderr, report: JSON.parse(stdout || 'null') }
}

const syncMine = (event: TestEvent, folder: string, ...options: string[]) =>
  syncWithReport(event, folder, '--marks', 'mine', '--language', 'de', ...options)

const jpegTaken = async (seed: number, takenAt: string): Promise<Buffer> =>
  sharp(await jpeg({ seed }))
    .withExif({ IFD2: { DateTimeOriginal: takenAt } })
    .jpeg()
    .toBuffer()

async function write(folder: string, files: Record<string, Uint8Array | string>): Promise<void> {
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
}

async function upload(event: TestEvent, name: string, bytes: Buffer): Promise<number> {
  const { status, body } = await api.upload(event.id, new Uint8Array(bytes), { name })
  expect(status).toBe(201)
  return body.id
}

const mark = (event: TestEvent, photoId: number | undefined, body: object) =>
  api.put(`/api/v1/events/${event.id}/photos/${photoId}/mark`, body)

const readSidecar = async (folder: string, path: string) => readXmp(await readFile(join(folder, path)))

/** Lightroom's form, with a develop setting. */
const developed = `<x:xmpmeta xmlns:x="adobe:ns:meta/">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
    xmp:Rating="2" crs:Exposure2012="+0.35"/>
 </rdf:RDF>
</x:xmpmeta>`

describe('proofroom sync', () => {
  test('writes marks into sidecars of moved and renamed files, keeps the rest, and does nothing twice', async () => {
    const event = await createEvent(api)
    const folder = await temporaryFolder()
    const first = await jpegTaken(1, '2026:06:20 12:00:01')
    const second = await jpegTaken(2, '2026:06:20 12:00:02')
    const third = await jpegTaken(3, '2026:06:20 12:00:03')
    const ids: number[] = []
    for (const [index, bytes] of [first, second, third].entries())
      ids.push(await upload(event, `IMG_${index + 1}.jpg`, bytes))
    await write(folder, {
      'Ceremony/Anna 001.jpg': first,
      'Ceremony/Anna 001.CR3': rawFile('2026:06:20 12:00:01'),
      'Ceremony/Anna 001.xmp': developed,
      'B/IMG_2.NEF': rawFile('2026:06:20 12:00:02'),
      'C/IMG_2.NEF': rawFile('2026:06:20 18:00:00'),
      'IMG_3.jpg': third,
      'notes.txt': 'no picture',
    })
    await mark(event, ids[0], { rating: 5, color_label: 'green' })
    await mark(event, ids[1], { color_label: 'red' })
    const planned = await syncMine(event, folder, '--dry-run')
    expect(planned.report.written).toEqual(['B/IMG_2.xmp', 'Ceremony/Anna 001.xmp'])
    expect((await readdir(folder)).sort()).toEqual(['B', 'C', 'Ceremony', 'IMG_3.jpg', 'notes.txt'])

    const { code, stderr, report } = await syncMine(event, folder)
    expect([code, stderr]).toEqual([0, ''])
    expect(report).toMatchObject({
      matched: { identity: 0, content: 2, nameAndTime: 1, name: 0 },
      written: ['B/IMG_2.xmp', 'Ceremony/Anna 001.xmp'],
      conflicts: [{ path: 'Ceremony/Anna 001', file: { rating: 2 }, service: { rating: 5 } }],
      ambiguous: [],
      missing: [],
      failed: [],
    })
    expect(await readSidecar(folder, 'Ceremony/Anna 001.xmp')).toMatchObject({ rating: 5, label: 'Grün' })
    expect(await readFile(join(folder, 'Ceremony/Anna 001.xmp'), 'utf8')).toContain('crs:Exposure2012="+0.35"')
    expect(await readFile(join(folder, 'Ceremony/.Anna 001.xmp.before-proofroom'), 'utf8')).toBe(developed)
    expect(await readSidecar(folder, 'B/IMG_2.xmp')).toMatchObject({ rating: null, label: 'Rot' })
    expect(await readdir(join(folder, 'C'))).toEqual(['IMG_2.NEF'])
    expect((await stat(join(folder, 'B/IMG_2.xmp'))).mode).toBe((await stat(join(folder, 'B/IMG_2.NEF'))).mode)

    const { mtimeMs } = await stat(join(folder, 'B/IMG_2.xmp'))
    await rename(join(folder, 'Ceremony'), join(folder, 'D'))
    const again = await syncMine(event, folder)
    expect(again.report).toMatchObject({ written: [], conflicts: [], matched: { identity: 2, content: 1 } })
    expect((await stat(join(folder, 'B/IMG_2.xmp'))).mtimeMs).toBe(mtimeMs)

    const options = ['--prefer', 'newest', '--embed', '--keywords', '--notes']
    const embedding = await syncMine(event, folder, ...options)
    expect(embedding.report).toMatchObject({ written: [], embedded: ['D/Anna 001.jpg'], undecided: [] })
    expect(await sharp(join(folder, 'D/Anna 001.jpg')).stats()).toEqual(await sharp(first).stats())

    await mark(event, ids[0], { rating: null, color_label: 'green' })
    const later = await syncMine(event, folder, '--since', 'last')
    expect(later.report.written).toEqual(['D/Anna 001.xmp'])
    expect(await readSidecar(folder, 'D/Anna 001.xmp')).toMatchObject({ rating: 0, label: 'Grün' })
    expect(await readFile(join(folder, 'D/.Anna 001.xmp.before-proofroom'), 'utf8')).toBe(developed)
  })

  test('--notes says that the token cannot read private notes, and writes nothing', { tags: 'nightly' }, async () => {
    const event = await createEvent(api)
    await upload(event, 'P_1.jpg', await jpeg({ seed: 1 }))
    const folder = await temporaryFolder()
    await write(folder, { 'P_1.ARW': 'raw' })
    const PROOFROOM_TOKEN = await createApiToken(admin, ['write'], { readsNotes: false })
    const environment = { PROOFROOM_URL: service.url, PROOFROOM_TOKEN }
    const { code, stderr } = await runToEnd(['sync', String(event.id), folder, '--notes'], environment)
    expect([code, stderr]).toEqual([1, expect.stringContaining('This API token cannot read private notes.')])
    expect((await readdir(folder)).filter((name) => name.endsWith('.xmp'))).toEqual([])
  })

  test('turns hearts of guests into stars, and names what it leaves alone', { tags: 'nightly' }, async () => {
    const event = await createEvent(api)
    const folder = await temporaryFolder()
    const ids: number[] = []
    for (const seed of [1, 2, 3, 4]) ids.push(await upload(event, `P_${seed}.jpg`, await jpeg({ seed })))
    const guest = await enterAsGuest(service, event)
    for (const id of ids) {
      await guest.post(`/api/gallery/${event.slug}/photos/${id}/feedback`, { feedback_type: 'favorite' })
    }
    await write(folder, {
      'P_1.ARW': 'raw',
      'P_1.xmp': 'no XML',
      'a/P_2.ARW': 'raw',
      'b/P_2.ARW': 'raw',
      'P_3.jpg': await jpeg({ seed: 3 }),
    })
    const { code, report } = await syncWithReport(event, folder, '--unrated-as', '5')
    expect(code).toBe(1)
    expect(report).toMatchObject({
      written: [],
      ambiguous: [{ paths: ['a/P_2', 'b/P_2'], photo_ids: [ids[1]] }],
      missing: [{ name: 'P_4.jpg' }],
      without_sidecar: ['P_3'],
      failed: [{ path: 'P_1.xmp' }],
    })
    expect(await readFile(join(folder, 'P_1.xmp'), 'utf8')).toBe('no XML')
    const { stdout } = await sync(event, folder, '--unrated-as', '5')
    expect(stdout).toContain('Ambiguous, left alone (1):\n  a/P_2, b/P_2: photos')
  })

  test('--push makes stars and colors of the files own marks, from sidecars and embedded', {
    tags: 'nightly',
  }, async () => {
    const event = await createEvent(api)
    const folder = await temporaryFolder()
    const embedded = await jpegWithXmp(developed.replace('xmp:Rating="2"', 'xmp:Rating="4" xmp:Label="Rot"'), {
      seed: 2,
    })
    const ids = [await upload(event, 'A.jpg', await jpeg({ seed: 1 })), await upload(event, 'B.jpg', embedded)]
    await write(folder, { 'A.CR2': 'raw', 'A.xmp': developed, 'B.jpg': embedded })
    const { report } = await syncWithReport(event, folder, '--push')
    expect(report.pushed).toHaveLength(2)
    const { body } = await api.get(`/api/v1/events/${event.id}/photos`)
    const own = body.photos.map((one: Record<string, unknown>) => [one.id, one.my_rating, one.my_color_label])
    expect(own).toEqual([
      [ids[0], 2, null],
      [ids[1], 4, 'red'],
    ])
    expect((await syncWithReport(event, folder, '--push')).report.pushed).toEqual([])
  })

  test('says what is missing', { tags: 'nightly' }, async () => {
    const { code, stderr } = await runToEnd(['sync', '1', '.'], {})
    expect([code, stderr.trim()]).toEqual([
      2,
      'Name the running service: --url and --token, or PROOFROOM_URL and PROOFROOM_TOKEN.',
    ])
    const event = await createEvent(api)
    expect((await sync(event, '/nowhere')).stderr).toBe('/nowhere is not a folder.\n')
    expect((await sync({ ...event, id: 999_999 }, await temporaryFolder())).code).toBe(1)
  })
})
