import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProofroom } from '../../../clients/typescript/source/index.ts'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { labelNames } from '../../feedback/marks/label-names.ts'
import { syncFolder } from './sync-folder.ts'
import type { SyncOptions } from './sync-options.ts'

const photo = {
  id: 1,
  source_filename: 'IMG_1.jpg',
  original_filename: 'IMG_1.jpg',
  size_bytes: 1,
  content_hash: 'a',
  captured_at: null,
  uploaded_by: 'admin',
  rating: 5,
  color_label: null,
  my_rating: null,
  my_color_label: null,
  client_marked_at: null,
  my_marked_at: null,
  favorite_count: 0,
  like_count: 0,
}

/** Syncs with a service that sends the entries again and again, each time with another cursor. */
async function syncWith(entries: Record<string, unknown[]>, endless: string, options: Partial<SyncOptions> = {}) {
  let pages = 0
  const fetch = async ({ url }: Request) => {
    const isEndless = new URL(url).pathname.endsWith(endless)
    // A sync that does not stop by itself ends here.
    if (isEndless && ++pages > 50) throw new Error('The sync does not stop.')
    const pagination = { page: null, pages: 1, limit: 100, total: 1, next: isEndless ? `${pages}` : null }
    return Response.json({ ...entries, pagination })
  }
  const client = createProofroom({ baseUrl: 'http://127.0.0.1:1', token: 'prf_live_1', fetch, retries: 0 })
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'IMG_1.NEF'), 'raw')
  const report = syncFolder(client, {
    eventId: 1,
    host: '127.0.0.1:1',
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
    isStopped: () => pages >= 10,
    ...options,
  })
  return { report, countPages: () => pages }
}

const never = () => false

test('a sync ends with an error after 200,000 photos', { tags: 'nightly' }, async () => {
  const photos = Array.from({ length: 20_000 }, () => photo)
  const { report, countPages } = await syncWith({ photos }, '/photos', { isStopped: never })
  await expect(report).rejects.toThrow('The service says that there are more than 200,000 photos.')
  expect(countPages()).toBe(11)
})

const thread = {
  ...{
    id: 1,
    event_id: 1,
    photo_id: 1,
    feedback_id: 1,
    kind: 'comment',
    version: 1,
    x: null,
    y: null,
    w: null,
    h: null,
  },
  ...{
    text: '',
    state: 'open',
    status: 'approved',
    created_at: '2026-11-01T10:00:00.000Z',
    settled_at: null,
    settled_by: null,
  },
  ...{ guest_id: '1', guest_name: null, guest_email: null, original_filename: null, source_filename: null },
  ...{ message_count: 0, messages: [] },
}

test('a sync ends with an error after 200,000 threads', { tags: 'nightly' }, async () => {
  const pages = { photos: [photo], notes: [], threads: Array.from({ length: 20_000 }, () => thread) }
  const { report } = await syncWith(pages, '/threads', { hasNotes: true, isStopped: never })
  await expect(report).rejects.toThrow('The service says that there are more than 200,000 threads.')
})

test('a sync ends with an error for a thread that it does not know', async () => {
  const pages = { photos: [photo], notes: [], threads: [{ ...thread, kind: 'drawing' }] }
  const { report } = await syncWith(pages, '/threads', { hasNotes: true, isStopped: never })
  await expect(report).rejects.toThrow('cannot be understood')
})

test.each(['photos', 'threads'])('a sync can be stopped between the pages of %s', async (path) => {
  const pages = { photos: path === 'photos' ? [] : [photo], notes: [], threads: [] }
  const { report, countPages } = await syncWith(pages, `/${path}`, { hasNotes: true })
  expect(await report).toMatchObject({ written: [], missing: [] })
  expect(countPages()).toBe(10)
})
