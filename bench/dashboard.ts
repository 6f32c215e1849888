/** Measures the dashboard of the admin app with 100,000 photos, each with feedback, and with views on 90 days. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openConnection } from './support/connection.ts'
import type { Figure } from './support/figures.ts'
import { addPhotos, makeApiToken, makeGallery, signIn } from './support/gallery.ts'
import { getRequest } from './support/load-jobs.ts'
import { addPhotoRows } from './support/photo-rows.ts'
import { makePictures } from './support/pictures.ts'
import type { Plan } from './support/plan.ts'
import { startService } from './support/server-process.ts'

const photoCount = 100_000
const days = 90

export async function measureDashboard(plan: Plan): Promise<Figure[]> {
  const dataDir = join(plan.workspace, 'dashboard')
  await fillInstance(plan, dataDir)
  const service = await startService(dataDir)
  const connection = await openConnection(service.port)
  const headers = { Authorization: `Bearer ${await signIn(service.port)}` }
  const request = getRequest(service.port, `/api/admin/dashboard?days=${days}`, headers)
  const samples: number[] = []
  // The first response fills the caches, so it is not counted.
  for (let round = -1; round < (plan.quick ? 20 : 100); round++) {
    const begin = performance.now()
    const status = await connection.sendRequest(request)
    if (status !== 200) throw new Error(`The overview answers ${status}`)
    if (round >= 0) samples.push(performance.now() - begin)
  }
  connection.close()
  await service.stop()
  return [
    {
      name: `dashboard: ${photoCount.toLocaleString('en')} photos`,
      unit: 'ms',
      samples,
      target: { bound: 'at most', value: 50 },
    },
  ]
}

async function fillInstance(plan: Plan, dataDir: string): Promise<void> {
  const service = await startService(dataDir)
  const gallery = await makeGallery(service.port, await makeApiToken(service.port))
  await addPhotos(service.port, gallery, await makePictures(plan.workspace, { width: 600, height: 400 }, 1))
  await service.stop()
  const file = join(dataDir, 'proofroom.db')
  addPhotoRows(file, photoCount - 1)
  const database = new Database(file)
  database.exec(`insert into photo_marks (photo_id, event_id, uploaded_at, rating_sum, rating_count,
    average_hundredths, label_mask, red, yellow, green, blue, purple, like_count, favorite_count, comment_count,
    feedback_count) select id, event_id, uploaded_at, 4, 1, 400, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1 from photos`)
  const today = Math.floor(Date.now() / 86_400_000)
  const day =
    database.prepare(`insert or ignore into event_days (event_id, day, uploads, upload_bytes, views, downloads,
    ratings, color_labels, likes, favorites, comments) values (?, ?, 1, 1, 1, 1, 1, 1, 1, 1, 1)`)
  for (let back = 0; back < days; back++) day.run(gallery.id, today - back)
  database.close()
}
