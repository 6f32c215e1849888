import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import {
  addImportFile,
  eagerImports,
  importDir,
  importTimeout,
  listImportFiles,
  loadImportHealth,
  loadPhotos,
  startImportingService,
  waitForImports,
  waitForScans,
} from '../../support/fixtures/imports.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { allowVideos, clip, waitUntilProcessed } from '../../support/media/videos.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { serviceForFile, type TestService } from '../../support/service/test-service.ts'

const service = await serviceForFile({ edges: eagerImports })
const { api, admin } = service
const importPath = (...path: string[]) => join(importDir(service), ...path)
const listRows = (of: TestService) =>
  readDatabase(of, (stored) => stored.prepare('select path, problem, is_kept from imported_files order by path').all())
const countPending = () =>
  readDatabase(service, (stored) =>
    stored.prepare('select count(*) from imported_files where problem is null').pluck().get(),
  )

test('a file becomes a video if its extension and content are of an allowed type, up to the size limit', async () => {
  await allowVideos(service)
  await admin.put('/api/admin/settings', { general_max_file_size_mb: 1 })
  const { id, slug } = await createEvent(api)
  await addImportFile(service, `${slug}/film.mp4`, await clip('film.mp4'))
  await addImportFile(service, `${slug}/picture.mp4`, await jpeg())
  await addImportFile(service, `${slug}/large.jpg`, Buffer.concat([await jpeg(), Buffer.alloc(2 ** 20)]))
  const [video] = await waitForImports(service, id, 1)
  expect(video).toMatchObject({ original_filename: 'film.mp4', media_type: 'video', uploaded_by: 'import' })
  expect(await waitUntilProcessed(api, id, video?.id ?? 0)).toMatchObject({ processing_status: 'ready' })
  const refused = [`.refused/${slug}/large.jpg.txt`, `.refused/${slug}/picture.mp4`]
  await expect.poll(() => listImportFiles(service), importTimeout).toEqual(expect.arrayContaining(refused))
  expect((await loadImportHealth(service)).facts.refused).toBe(2)
  await admin.put('/api/admin/settings', { general_max_file_size_mb: 100 })
})

test('known content makes no second photo, but it does after a delete', async () => {
  const { id, slug } = await createEvent(api)
  const bytes = await jpeg({ seed: 7 })
  const { body: photo } = await api.upload(id, bytes, { name: 'by-hand.jpg' })
  await addImportFile(service, `${slug}/a.jpg`, bytes)
  const listMoved = async () => (await listImportFiles(service)).filter((path) => path.includes(slug))
  await expect.poll(listMoved, importTimeout).toEqual([`.imported/${slug}/a.jpg`])
  await waitForImports(service, id, 1)
  expect((await admin.delete(`/api/admin/photos/${id}/photos/${photo.id}`)).status).toBe(200)
  await addImportFile(service, `${slug}/a.jpg`, bytes)
  await waitForImports(service, id, 1)
  expect(await listMoved()).toEqual([`.imported/${slug}/a.jpg`, `.imported/${slug}/a_1.jpg`])
})

test('an earlier version of a photo makes no second photo', async () => {
  const { id, slug } = await createEvent(api, { keep_versions: true })
  const bytes = await jpeg({ seed: 7 })
  const { body: photo } = await api.upload(id, bytes, { name: 'a.jpg' })
  await api.upload(id, await jpeg({ seed: 8 }), { name: 'a.jpg', fields: { replaces_photo_id: photo.id } })
  await addImportFile(service, `${slug}/a.jpg`, bytes)
  const listMoved = async () => (await listImportFiles(service)).filter((path) => path.includes(slug))
  await expect.poll(listMoved, importTimeout).toEqual([`.imported/${slug}/a.jpg`])
  expect(await loadPhotos(service, id)).toHaveLength(1)
})

test('drafts and expired events take files too', async () => {
  const draft = await createEvent(api, { is_draft: true })
  await addImportFile(service, `${draft.slug}/a.jpg`, await jpeg({ seed: 21 }))
  await waitForImports(service, draft.id, 1)
  await changeDatabase(service, (stored) => stored.exec(`update events set expires_at = 1 where id = ${draft.id}`))
  await addImportFile(service, `${draft.slug}/b.jpg`, await jpeg({ seed: 22 }))
  await waitForImports(service, draft.id, 2)
})

test('names of any bytes are accepted and made displayable', async () => {
  const { id, slug } = await createEvent(api)
  await mkdir(importPath(slug), { recursive: true })
  const names = [
    Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x6a, 0x70, 0x67]),
    Buffer.from("'; drop table photos;--.jpg"),
    Buffer.from('line\nbreak\u202egpj.jpg'),
    Buffer.from(`${'x'.repeat(251)}.jpg`),
    Buffer.from('a\\..\\b.jpg'),
  ]
  for (const [index, name] of names.entries()) {
    await writeFile(Buffer.concat([Buffer.from(`${importPath(slug)}/`), name]), await jpeg({ seed: 32 + index }))
  }
  const photos = await waitForImports(service, id, 5)
  expect(photos.map(({ original_filename }) => original_filename).sort()).toEqual(
    ["'; drop table photos;--.jpg", 'b.jpg', 'f.jpg', 'linebreakgpj.jpg', `${'x'.repeat(251)}.jpg`].sort(),
  )
  expect((await listImportFiles(service)).filter((path) => path.startsWith(slug))).toEqual([])
})

test('a file that cannot be moved away is recorded: a later scan, a restart or a new time creates no second photo', async () => {
  const dataDir = await temporaryFolder()
  const start = async () => ({ ...(await startImportingService({ DATA_DIR: dataDir })), dataDir })
  let own = await start()
  const { id, slug } = await createEvent(own.api)
  // These files prevent the creation of the folders.
  await writeFile(join(importDir(own), '.imported'), '')
  await writeFile(join(importDir(own), '.refused'), '')
  const path = await addImportFile(own, `${slug}/a.jpg`, await jpeg({ seed: 40 }))
  await addImportFile(own, `${slug}/b.jpg`, Buffer.from('no picture'))
  const [photo] = await waitForImports(own, id, 1)
  const kept = [
    { path: `${slug}/a.jpg`, problem: null, is_kept: 1 },
    { path: `${slug}/b.jpg`, problem: expect.stringMatching(/^This image format is not supported/), is_kept: 1 },
  ]
  await expect.poll(() => listRows(own), importTimeout).toEqual(kept)
  expect((await own.admin.delete(`/api/admin/photos/${id}/photos/${photo?.id}`)).status).toBe(200)
  await own.stop()
  own = await start()
  await waitForScans(own)
  expect(await loadPhotos(own, id)).toEqual([])
  await utimes(path, new Date(), new Date(Date.now() - 86_400_000))
  await waitForScans(own)
  expect(await loadPhotos(own, id)).toEqual([])

  await writeFile(path, await jpeg({ seed: 41 }))
  await waitForImports(own, id, 1)
  expect(listRows(own)).toEqual(kept)
})

describe('after a crash', () => {
  const insertPendingImport = (
    path: string,
    digest: string,
    eventId: number,
    { size, mtimeMs }: { size: number; mtimeMs: number },
  ) =>
    changeDatabase(service, (stored) =>
      stored.exec(
        `insert into imported_files values ('${digest}', ${eventId}, '${path}', ${size}, ${Math.floor(mtimeMs)}, 'x', null, 0, 1)`,
      ),
    )

  test('between import and move, the file is moved and no second photo is created', async () => {
    const { id, slug } = await createEvent(api)
    const hidden = await addImportFile(service, `.aside/a.jpg`, await jpeg({ seed: 50 }))
    const digest = createHash('sha256').update(`folder\n/${slug}/a.jpg`).digest('hex')
    await insertPendingImport(`${slug}/a.jpg`, digest, id, await stat(hidden))
    await mkdir(importPath(slug))
    execFileSync('cp', ['-p', hidden, importPath(slug, 'a.jpg')])
    await expect.poll(() => listImportFiles(service), importTimeout).toContain(`.imported/${slug}/a.jpg`)
    expect(await loadPhotos(service, id)).toEqual([])
    await expect.poll(countPending, importTimeout).toBe(0)
  })

  test('between move and cleanup, the row is deleted', async () => {
    const { id, slug } = await createEvent(api)
    await mkdir(importPath(slug))
    await insertPendingImport(`${slug}/gone.jpg`, 'c'.repeat(64), id, { size: 1, mtimeMs: 1 })
    await expect.poll(countPending, importTimeout).toBe(0)
  })
})
