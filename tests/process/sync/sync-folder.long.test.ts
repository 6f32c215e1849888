import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pLimit from 'p-limit'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readEmbedded } from '../../../server/commands/sync/embedded-files.ts'
import { readXmp } from '../../../server/platform/xmp/read-xmp.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { rawFile } from '../../support/media/raw-files.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { killWhen, runToEnd } from '../../support/service/proofroom-command.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { placeOf } from '../../support/storage/file-place.ts'

const service = await serviceForFile()
const { admin, api } = service
const pairCount = 2_000

const developed = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
 xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/" crs:Exposure2012="+0.35"/></rdf:RDF>`

const timeOf = (index: number): string => {
  const two = (value: number) => String(value).padStart(2, '0')
  return `2026:06:20 ${two(Math.floor(index / 3600))}:${two(Math.floor(index / 60) % 60)}:${two(index % 60)}`
}

/** Both photos of such a couple have the name of the first. */
const isSameNamed = (index: number): boolean => index % 10 >= 8 && index % 20 >= 10
const nameOf = (index: number): string => `IMG_${isSameNamed(index) && index % 2 === 1 ? index - 1 : index}`

type Expected = { /** Sidecars that are written. */ sidecars: string[]; isAmbiguous: boolean }

/** Writes the files of one photo as a photographer may have arranged them, and returns what a sync must do. */
async function arrange(folder: string, index: number, picture: Buffer): Promise<Expected> {
  const raw = rawFile(timeOf(index), String(index))
  const write = async (path: string, bytes: Uint8Array | string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
  const name = nameOf(index)
  const day = `Day ${index % 7}`
  if (isSameNamed(index)) {
    await write(`Camera ${index % 2}/${day}/${name}.NEF`, raw)
    return { sidecars: [`Camera ${index % 2}/${day}/${name}.xmp`], isAmbiguous: false }
  }
  switch (index % 10) {
    case 5:
      await write(`${day}/Anna & Ben ${index}.jpg`, picture)
      await write(`${day}/Anna & Ben ${index}.NEF`, rawFile('', 'without a time'))
      return { sidecars: [`${day}/Anna & Ben ${index}.xmp`], isAmbiguous: false }
    case 6:
      await write(`Best/Of/${day}/${name.toLowerCase()}.nef`, raw)
      return { sidecars: [`Best/Of/${day}/${name.toLowerCase()}.xmp`], isAmbiguous: false }
    case 7:
      await write(`${day}/${name}.NEF`, raw)
      await write(`${day}/${name}.NEF.xmp`, developed)
      return { sidecars: [`${day}/${name}.NEF.xmp`], isAmbiguous: false }
    case 8:
      await write(`${day}/${name}.jpg`, picture)
      await write(`${day}/${name}.NEF`, raw)
      await write(`Copies/${name}.jpg`, picture)
      await write(`Copies/${name}.NEF`, raw)
      return { sidecars: [`${day}/${name}.xmp`, `Copies/${name}.xmp`], isAmbiguous: false }
    case 9:
      await write(`A/${name}.NEF`, rawFile('', 'one'))
      await write(`B/${name}.NEF`, rawFile('', 'another'))
      return { sidecars: [], isAmbiguous: true }
    default:
      await write(`${day}/${name}.jpg`, picture)
      await write(`${day}/${name}.NEF`, raw)
      return { sidecars: [`${day}/${name}.xmp`], isAmbiguous: false }
  }
}

const listFiles = (folder: string): Promise<string[]> => readdir(folder, { recursive: true })
const listSidecars = async (folder: string): Promise<string[]> =>
  (await listFiles(folder)).filter((path) => path.endsWith('.xmp')).sort()

/** Whether a JPEG file still has all bytes of its picture, and a packet that can be read or none. */
async function isIntact(path: string, before: Buffer | undefined): Promise<boolean> {
  await readEmbedded(placeOf(path))
  const [was, is] = [before, await readFile(path)].map((bytes) => bytes?.subarray(bytes.indexOf('ffda', 'hex')))
  return was !== undefined && is?.equals(was) === true
}

test('2,000 pairs, renamed, moved, copied and of equal names, get the marks of their photos', async () => {
  const { body: created } = await admin.post('/api/admin/api-tokens', { name: 'sync', scopes: ['write'] })
  const event = await createEvent(api)
  const folder = await temporaryFolder()
  const limit = pLimit(8)
  const photos = await limit.map(
    Array.from({ length: pairCount }, (_, index) => index),
    async (index) => {
      const background = { r: index % 256, g: (index * 7) % 256, b: Math.floor(index / 8) % 256 }
      const picture = await sharp({ create: { width: 32, height: 24, channels: 3, background } })
        .withExif({ IFD0: { ImageDescription: String(index) }, IFD2: { DateTimeOriginal: timeOf(index) } })
        .jpeg()
        .toBuffer()
      const { body } = await api.upload(event.id, new Uint8Array(picture), { name: `${nameOf(index)}.JPG` })
      const id: number = body.id
      const marked = await api.put(`/api/v1/events/${event.id}/photos/${id}/mark`, { rating: (index % 5) + 1 })
      expect(marked.status).toBe(200)
      return { id, index, ...(await arrange(folder, index, picture)) }
    },
  )
  const args = ['sync', String(event.id), folder, '--marks', 'mine', '--json']
  const environment = { PROOFROOM_URL: service.url, PROOFROOM_TOKEN: created.token }

  const sidecarsBefore = await listSidecars(folder)
  for (let kill = 1; kill <= 4; kill++) {
    const written = await listSidecars(folder)
    await killWhen(args, environment, async () => (await listSidecars(folder)).length > written.length + 50)
    for (const path of await listSidecars(folder)) readXmp(await readFile(join(folder, path)))
  }
  expect((await listSidecars(folder)).length).toBeGreaterThan(sidecarsBefore.length + 200)

  const { code, stdout } = await runToEnd(args, environment)
  const report = JSON.parse(stdout)
  expect(code).toBe(1)
  expect(report.failed).toEqual([])
  expect(report.missing).toEqual([])
  const ambiguous = photos.filter(({ isAmbiguous }) => isAmbiguous).map(({ id }) => id)
  expect(report.ambiguous.flatMap((one: { photo_ids: number[] }) => one.photo_ids).toSorted(byNumber)).toEqual(
    ambiguous,
  )
  expect(await listSidecars(folder)).toEqual(photos.flatMap(({ sidecars }) => sidecars).sort())
  for (const { id, index, sidecars } of photos) {
    for (const path of sidecars) {
      const bytes = await readFile(join(folder, path))
      const { rating, identity } = readXmp(bytes)
      expect([path, rating, identity]).toEqual([
        path,
        (index % 5) + 1,
        `${new URL(service.url).host}/${event.id}/${id}`,
      ])
      if (path.endsWith('.NEF.xmp')) expect(bytes.toString()).toContain('crs:Exposure2012="+0.35"')
    }
  }

  const again = JSON.parse((await runToEnd(args, environment)).stdout)
  expect(again.written).toEqual([])
  expect(again.ambiguous).toHaveLength(report.ambiguous.length)

  const pictures = (await listFiles(folder)).filter((path) => path.endsWith('.jpg'))
  const before = new Map<string, Buffer>()
  for (const path of pictures) before.set(path, await readFile(join(folder, path)))
  const countEmbedded = async () =>
    (await listFiles(folder)).filter((path) => path.endsWith('.jpg.xmp.before-proofroom')).length
  for (let kill = 1; kill <= 4; kill++) {
    const count = await countEmbedded()
    await killWhen([...args, '--embed'], environment, async () => (await countEmbedded()) > count + 50)
    for (const path of pictures) expect(await isIntact(join(folder, path), before.get(path))).toBe(true)
  }
  const embedding = JSON.parse((await runToEnd([...args, '--embed'], environment)).stdout)
  expect([embedding.written, embedding.failed]).toEqual([[], []])
  expect(embedding.embedded.length).toBeLessThan(pictures.length - 200)
  for (const { index, sidecars, isAmbiguous } of photos) {
    if (isAmbiguous) continue
    for (const path of sidecars.map((sidecar) => sidecar.replace('.xmp', '.jpg'))) {
      const bytes = before.get(path)
      if (!bytes) continue
      expect(await isIntact(join(folder, path), bytes)).toBe(true)
      expect([path, (await readEmbedded(placeOf(join(folder, path))))?.marks.rating]).toEqual([path, (index % 5) + 1])
    }
  }
  const quiet = JSON.parse((await runToEnd([...args, '--embed'], environment)).stdout)
  expect([quiet.written, quiet.embedded]).toEqual([[], []])
}, 600_000)

const byNumber = (a: number, b: number): number => a - b
