/** Uploads by drag and drop in the admin app, compared with the same chunks sent by a script. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchChromium } from '../tools/chromium.ts'
import { type AdminTarget, type Folder, sendByBrowser, sendByScript } from './support/admin-upload-runs.ts'
import { chunkedFile } from './support/chunked-file.ts'
import { type Figure, printTable } from './support/figures.ts'
import { makeApiToken, makeGallery, sendJson, signIn } from './support/gallery.ts'
import { measurePairs, medians, type Pair, ratios } from './support/pairs.ts'
import { makePictures } from './support/pictures.ts'
import type { Plan } from './support/plan.ts'
import { waitUntilQuiet } from './support/process-tree.ts'
import { startService } from './support/server-process.ts'

const megabyte = 1e6
/** About the size of camera photos, and no two sizes are equal. */
const photoBytes = (index: number): number => 8 * megabyte + index * 12_345

/**
 * Returns the bytes per second of the browser as ratios to the script, for a folder of photos and for one large file.
 * The browser also hashes the files; the script does not.
 */
export async function measureAdminUpload(plan: Plan): Promise<Figure[]> {
  const [headFile = ''] = await makePictures(plan.workspace, { width: 600, height: 400 }, 1)
  const head = await readFile(headFile)
  const sizes = Array.from({ length: plan.quick ? 16 : 48 }, (_, index) => photoBytes(index))
  const photos = await makeFolder(plan, 'photos', head, sizes)
  const large = await makeFolder(plan, 'large', head, [(plan.quick ? 200 : 500) * megabyte])
  const browser = await launchChromium()
  try {
    const figures: Figure[] = []
    const rows = [['from the desk', 'script', 'browser']]
    for (const [name, folder] of [
      [`${photos.files.length} photos of 8 MB`, photos],
      [`one file of ${large.bytes / megabyte} MB`, large],
    ] as const) {
      const pairs = await measureFolder(plan, browser, folder)
      const rate = medians(pairs, (bytesPerSecond) => bytesPerSecond / megabyte)
      rows.push([name, `${rate.limit.toFixed(0)} MB/s`, `${rate.service.toFixed(0)} MB/s`])
      figures.push({
        name: `admin-upload: ${name}, browser / script`,
        unit: 'x',
        samples: ratios(pairs, (bytesPerSecond) => bytesPerSecond),
        target: { bound: 'at least', value: 0.7 },
      })
    }
    printTable(rows)
    return figures
  } finally {
    await browser.close()
  }
}

async function measureFolder(plan: Plan, browser: Browser, folder: Folder): Promise<Pair<number>[]> {
  const dataDir = join(plan.workspace, 'admin-upload')
  const server = await startService(dataDir)
  const apiToken = await makeApiToken(server.port)
  const target: AdminTarget = { server, token: await signIn(server.port) }
  await sendJson(server.port, 'PUT', '/api/admin/settings', { general_max_file_size_mb: 10_000 }, target.token)
  const inNewEvent = async (send: (eventId: number) => Promise<number>) => {
    const { id } = await makeGallery(server.port, apiToken)
    await waitUntilQuiet(server.pid)
    const bytesPerSecond = await send(id)
    await sendJson(server.port, 'DELETE', `/api/admin/events/${id}`, {}, target.token)
    return bytesPerSecond
  }
  const pairs = await measurePairs(
    plan.pairs,
    () => inNewEvent((id) => sendByScript(target, id, folder)),
    () => inNewEvent((id) => sendByBrowser(browser, target, id, folder)),
  )
  await server.stop()
  await rm(dataDir, { recursive: true })
  return pairs
}

/** All files decode to the same small picture, and no two have the same bytes. */
async function makeFolder(plan: Plan, name: string, head: Buffer, sizes: readonly number[]): Promise<Folder> {
  const path = join(plan.workspace, name)
  await mkdir(path)
  const files: string[] = []
  for (const [index, fileBytes] of sizes.entries()) {
    const file = join(path, `${index}.jpg`)
    const { chunks, chunkAt } = chunkedFile(head, fileBytes)
    const parts = Array.from({ length: chunks }, (_, chunk) => chunkAt(chunk).parts).flat()
    await writeFile(file, parts)
    files.push(file)
  }
  return { path, files, bytes: sizes.reduce((sum, one) => sum + one, 0) }
}
