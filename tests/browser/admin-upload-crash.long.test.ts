import { expect, onTestFinished, test } from 'vitest'
import { openAdminApp } from '../support/browser/admin-page.ts'
import { createFolderOnDisk, dropFiles } from '../support/browser/drop-files.ts'
import { chromiumForFile } from '../support/browser/guest-page.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { jpeg, jpegOfSize } from '../support/media/pictures.ts'
import { startTcpProxy } from '../support/network/tcp-proxy.ts'
import { startKillableService } from '../support/service/killable-service.ts'

const browsers = await chromiumForFile()
const count = 300
const kills = 3

test(`${count} photos arrive once each although the service is killed repeatedly during the upload`, async () => {
  const service = await startKillableService()
  const event = await createEvent(service.api())
  // The service restarts on another port, but the address for the browser stays the same.
  const way = { port: getPort(service.address().url) }
  const proxy = await startTcpProxy(way)
  onTestFinished(() => proxy.close())
  const pictures = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const picture = await jpeg({ seed: index, width: 60 + index, height: 40 })
      // Every tenth photo except the first has two chunks.
      const bytes = index % 10 === 0 ? await jpegOfSize(10_485_760 + index, { seed: index }) : picture
      return [`${index}.jpg`, bytes] as const
    }),
  )
  await service.api().upload(event.id, pictures[7]?.[1] ?? Buffer.alloc(0), { name: 'from-before.jpg' })
  const folder = await createFolderOnDisk('Wedding', {
    ...Object.fromEntries(pictures),
    'torn.jpg': Buffer.from('no picture'),
  })

  const { page, pageErrors } = await openAdminApp(browsers, `http://127.0.0.1:${proxy.port}`, `/events/${event.id}`)
  const panel = page.getByRole('region', { name: 'Uploads' })
  await page.getByRole('button', { name: 'Upload', exact: true }).waitFor()
  await dropFiles(page, [folder])
  const total = async () => (await service.api().get(`/api/v1/events/${event.id}/photos?limit=1`)).body.pagination.total
  for (let kill = 1; kill <= kills; kill++) {
    const enough = (count * kill) / (kills + 1)
    await expect.poll(total, { timeout: 120_000, interval: 50 }).toBeGreaterThan(enough)
    await service.kill()
    await panel
      .getByText(/no connection/)
      .first()
      .waitFor()
    await service.restart()
    way.port = getPort(service.address().url)
  }
  await panel.getByText(`${count - 1} added, 1 already added, 1 failed`).waitFor({ timeout: 180_000 })
  await panel.getByText('Wedding/torn.jpg').waitFor()

  const photos = await allPhotos()
  expect(photos.length).toBe(count)
  expect(new Set(photos.map((photo) => photo.content_hash)).size).toBe(count)
  const sizes = new Map(photos.map((photo) => [photo.original_filename, photo.size_bytes]))
  const wrong = pictures.filter(([name, bytes], index) => index !== 7 && sizes.get(name) !== bytes.length)
  expect(wrong).toEqual([])
  // An unreachable service is not an error of the page.
  expect(pageErrors.filter((complaint) => !/^Failed to load resource/.test(complaint))).toEqual([])

  async function allPhotos() {
    const photos: Array<{ original_filename: string; size_bytes: number; content_hash: string }> = []
    for (let number = 1; number <= Math.ceil(count / 100); number++) {
      const { body } = await service.api().get(`/api/v1/events/${event.id}/photos?limit=100&page=${number}`)
      photos.push(...body.photos)
    }
    return photos
  }
}, 400_000)

const getPort = (url: string): number => Number(new URL(url).port)
