import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
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
import { jpeg, picture } from '../../support/media/pictures.ts'
import { allowVideos, clip, waitUntilProcessed } from '../../support/media/videos.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { serviceForFile, type TestService } from '../../support/service/test-service.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile({ edges: eagerImports })
const { api, admin } = service
const importPath = (...path: string[]) => join(importDir(service), ...path)
const listRows = (of: TestService) =>
  readDatabase(of, (stored) => stored.prepare('select path, problem, is_kept from imported_files order by path').all())

describe('a file in the folder of an event', () => {
  test('becomes a photo, is announced once and is moved away', async () => {
    await createTestWebhook(service)
    const { id, slug } = await createEvent(api)
    const bytes = await jpeg({ seed: 1 })
    await addImportFile(service, `${slug}/IMG_1.JPG`, bytes)
    const [photo] = await waitForImports(service, id, 1)
    expect(photo).toMatchObject({
      original_filename: 'IMG_1.JPG',
      source_filename: 'IMG_1.JPG',
      uploaded_by: 'import',
      category_id: null,
      auto_categorized: false,
      processing_status: 'ready',
      size_bytes: bytes.length,
    })
    const reported = listAnnouncedOf(service, id).filter(({ type }) => type === 'photo.uploaded')
    expect(reported.map(({ data }) => [data.photo.id, data.photo.replaced])).toEqual([[photo?.id, false]])
    expect(await readFile(importPath('.imported', slug, 'IMG_1.JPG'))).toEqual(bytes)
    expect(await listImportFiles(service)).toEqual([`.imported/${slug}/IMG_1.JPG`])
    expect(listRows(service)).toEqual([])
    const { bytes: original } = await api.get(`/api/v1/events/${id}/photos/${photo?.id}/download`)
    expect(original.equals(bytes)).toBe(true)
  })

  test('gets the category of its subfolder at any depth, which is created if missing', async () => {
    const { id, slug } = await createEvent(api)
    await addImportFile(service, `${slug}/ceremony/1.jpg`, await jpeg({ seed: 2 }))
    await addImportFile(service, `${slug}/First dance/2.jpg`, await jpeg({ seed: 3 }))
    await addImportFile(service, `${slug}/First dance/the best/3.jpg`, await jpeg({ seed: 4 }))
    const photos = await waitForImports(service, id, 3)
    const categorized = photos.map(({ category, auto_categorized }) => [category, auto_categorized])
    expect(categorized.sort()).toEqual([
      ['Ceremony', true],
      ['First dance', true],
      ['First dance', true],
    ])
    const { body } = await admin.get(`/api/admin/categories/event/${id}`)
    const own = body.filter((one: { event_id: number | null }) => one.event_id === id)
    expect(own.map(({ name, photo_count }: Record<string, unknown>) => [name, photo_count])).toEqual([
      ['First dance', 2],
    ])
  })

  test('becomes a video if its extension and content are of an allowed type', async () => {
    const own = await startImportingService()
    await allowVideos(own)
    const { id, slug } = await createEvent(own.api)
    await addImportFile(own, `${slug}/film.mp4`, await clip('film.mp4'))
    await addImportFile(own, `${slug}/picture.mp4`, await jpeg())
    const [video] = await waitForImports(own, id, 1)
    expect(video).toMatchObject({ original_filename: 'film.mp4', media_type: 'video', uploaded_by: 'import' })
    expect(await waitUntilProcessed(own.api, id, video?.id ?? 0)).toMatchObject({ processing_status: 'ready' })
    expect(await listImportFiles(own)).toContain(`.refused/${slug}/picture.mp4`)
  })

  test('is skipped while it is empty, hidden or has a temporary name', async () => {
    const { id, slug } = await createEvent(api)
    const names = ['a.jpg.part', '.b.jpg', 'c.crdownload', '~$d.jpg', 'Thumbs.db', '@eaDir/e.jpg', '.sync/f.jpg']
    for (const name of names) await addImportFile(service, `${slug}/${name}`, await jpeg({ seed: 6 }))
    await addImportFile(service, `${slug}/empty.jpg`, Buffer.alloc(0))
    await waitForScans(service)
    expect(await loadPhotos(service, id)).toEqual([])
    expect((await listImportFiles(service)).filter((path) => path.startsWith(slug))).toHaveLength(8)
    await addImportFile(service, `${slug}/a.jpg`, await jpeg({ seed: 6 }))
    await waitForImports(service, id, 1)
  })

  test('creates no second photo of the same content, and is moved away too', async () => {
    const { id, slug } = await createEvent(api)
    const bytes = await jpeg({ seed: 7 })
    await api.upload(id, bytes, { name: 'by-hand.jpg' })
    await addImportFile(service, `${slug}/a.jpg`, bytes)
    await addImportFile(service, `${slug}/copy of a.jpg`, bytes)
    await expect
      .poll(() => listImportFiles(service), importTimeout)
      .toEqual(expect.arrayContaining([`.imported/${slug}/a.jpg`, `.imported/${slug}/copy of a.jpg`]))
    await waitForImports(service, id, 1)
  })

  test('becomes a photo again if it returns after a deletion', async () => {
    const { id, slug } = await createEvent(api)
    const bytes = await jpeg({ seed: 8 })
    await addImportFile(service, `${slug}/a.jpg`, bytes)
    const [first] = await waitForImports(service, id, 1)
    expect((await admin.delete(`/api/admin/photos/${id}/photos/${first?.id}`)).status).toBe(200)
    await addImportFile(service, `${slug}/a.jpg`, bytes)
    await waitForImports(service, id, 1)
    expect((await listImportFiles(service)).filter((path) => path.includes(slug))).toEqual([
      `.imported/${slug}/a.jpg`,
      `.imported/${slug}/a_1.jpg`,
    ])
  })

  test('is imported in the order of names, numbers as numbers', async () => {
    const { id, slug } = await createEvent(api)
    await mkdir(importPath(`.${slug}`), { recursive: true })
    for (const [seed, name] of ['IMG_10.jpg', 'IMG_9.jpg', 'IMG_100.jpg'].entries()) {
      await writeFile(importPath(`.${slug}`, name), await jpeg({ seed: 10 + seed }))
    }
    execFileSync('mv', [importPath(`.${slug}`), importPath(slug)])
    const photos = await waitForImports(service, id, 3)
    expect(photos.map(({ original_filename: name }) => name)).toEqual(['IMG_9.jpg', 'IMG_10.jpg', 'IMG_100.jpg'])
  })
})

describe('a file that cannot be a photo', () => {
  test('moves to .refused with the reason, shows on the health page, and is checked again if it returns', async () => {
    const own = await startImportingService()
    const { id, slug } = await createEvent(own.api)
    await addImportFile(own, `${slug}/Raw/IMG_1.CR2`, Buffer.from('no picture at all'))
    await addImportFile(own, `${slug}/movie.gif`, await picture('gif'))
    await expect.poll(async () => (await loadImportHealth(own)).facts.refused, importTimeout).toBe(2)
    expect(await listImportFiles(own)).toEqual([
      `.refused/${slug}/Raw/IMG_1.CR2`,
      `.refused/${slug}/Raw/IMG_1.CR2.txt`,
      `.refused/${slug}/movie.gif`,
      `.refused/${slug}/movie.gif.txt`,
    ])
    const reason = await readFile(join(importDir(own), '.refused', slug, 'movie.gif.txt'), 'utf8')
    expect(reason).toBe(`${slug}/movie.gif was not imported. File type not allowed.\n`)
    const health = await loadImportHealth(own)
    expect(health).toMatchObject({ status: 'warn', facts: { waiting: false } })
    expect(health.text).toMatch(/^The import rejected 2 files in the last 7 days, most recently .*\.$/)
    // A rejected file creates no category.
    const { body } = await own.admin.get(`/api/admin/categories/event/${id}`)
    expect(body.filter((one: { event_id: number | null }) => one.event_id === id)).toEqual([])

    await own.admin.put('/api/admin/settings', { general_allowed_file_types: 'jpg,gif' })
    await rename(join(importDir(own), '.refused', slug, 'movie.gif'), join(importDir(own), slug, 'movie.gif'))
    await waitForImports(own, id, 1)
  })

  test('is rejected above the size limit of its type', async () => {
    const own = await startImportingService()
    const { id, slug } = await createEvent(own.api)
    await own.admin.put('/api/admin/settings', { general_max_file_size_mb: 1 })
    await addImportFile(own, `${slug}/large.jpg`, Buffer.concat([await jpeg(), Buffer.alloc(2 ** 20)]))
    await expect.poll(async () => (await loadImportHealth(own)).facts.refused, importTimeout).toBe(1)
    expect((await loadImportHealth(own)).text).toContain('File too large. Maximum size is 1 MB per file.')
    expect(await loadPhotos(own, id)).toEqual([])
  })
})

describe('files stay in place', () => {
  test('while no event has the slug of their folder, and the health page reports them', async () => {
    const own = await startImportingService()
    await addImportFile(own, 'wedding-nobody/a.jpg', await jpeg())
    await expect
      .poll(async () => (await loadImportHealth(own)).text, importTimeout)
      .toContain('match no event: wedding-nobody')
    expect(await listImportFiles(own)).toEqual(['wedding-nobody/a.jpg'])
    await rm(join(importDir(own), 'wedding-nobody'), { recursive: true })
    await expect.poll(async () => (await loadImportHealth(own)).status, importTimeout).toBe('ok')
  })

  test('outside of event folders or in a linked folder, and the health page reports them', async () => {
    const own = await startImportingService()
    const elsewhere = await temporaryFolder()
    await addImportFile(own, 'loose.jpg', await jpeg())
    await symlink(elsewhere, join(importDir(own), 'wedding-linked'))
    const reported = async () => (await loadImportHealth(own)).text
    await expect
      .poll(reported, importTimeout)
      .toMatch(/are ignored: .*(loose\.jpg, wedding-linked|wedding-linked, loose\.jpg)/)
    for (const name of ['loose.jpg', 'wedding-linked']) await rm(join(importDir(own), name))
    await expect.poll(async () => (await loadImportHealth(own)).status, importTimeout).toBe('ok')
  })

  test('while the event is archived, but not in drafts and expired events', async () => {
    const { id, slug } = await createEvent(api)
    await api.post(`/api/v1/events/${id}/archive`, {})
    await addImportFile(service, `${slug}/a.jpg`, await jpeg({ seed: 20 }))
    await expect
      .poll(async () => (await loadImportHealth(service)).text, importTimeout)
      .toContain(`archived events: ${slug}`)
    expect(await listImportFiles(service)).toContain(`${slug}/a.jpg`)
    await api.post(`/api/v1/events/${id}/restore`, {})
    await waitForImports(service, id, 1)

    const draft = await createEvent(api, { is_draft: true })
    await addImportFile(service, `${draft.slug}/a.jpg`, await jpeg({ seed: 21 }))
    await waitForImports(service, draft.id, 1)
    await changeDatabase(service, (stored) => stored.exec(`update events set expires_at = 1 where id = ${draft.id}`))
    await addImportFile(service, `${draft.slug}/b.jpg`, await jpeg({ seed: 22 }))
    await waitForImports(service, draft.id, 2)
  })

  test('while the event has reached its photo cap', async () => {
    const { id, slug } = await createEvent(api, { photo_cap: 1 })
    for (const seed of [23, 24]) await addImportFile(service, `${slug}/${seed}.jpg`, await jpeg({ seed }))
    await waitForImports(service, id, 1)
    expect((await loadImportHealth(service)).text).toContain(`maximum number of photos: ${slug}`)
    await api.patch(`/api/v1/events/${id}`, { photo_cap: 0 })
    await waitForImports(service, id, 2)
  })
})

describe('a path that is not a regular file', () => {
  test('symbolic links, pipes and linked folders are never followed', async () => {
    const { id, slug } = await createEvent(api)
    await mkdir(importPath('.elsewhere/folder'), { recursive: true })
    await writeFile(importPath('.elsewhere/folder/secret.jpg'), await jpeg({ seed: 30 }))
    await mkdir(importPath(slug), { recursive: true })
    await symlink(importPath('.elsewhere/folder/secret.jpg'), importPath(slug, 'link.jpg'))
    await symlink(importPath('.elsewhere/folder'), importPath(slug, 'linked'))
    execFileSync('mkfifo', [importPath(slug, 'pipe.jpg')])
    await addImportFile(service, `${slug}/real.jpg`, await jpeg({ seed: 31 }))
    await waitForImports(service, id, 1)
    const linked = await createEvent(api)
    await symlink(importPath('.elsewhere/folder'), importPath(linked.slug))
    await waitForScans(service)
    expect(await loadPhotos(service, linked.id)).toEqual([])
    await rm(importPath(slug), { recursive: true })
    await rm(importPath(linked.slug))
  })

  test('a link in place of .imported moves no file out of the folder', async () => {
    const own = await startImportingService()
    const { id, slug } = await createEvent(own.api)
    const outside = join(own.dataDir, 'outside')
    await mkdir(outside)
    await symlink(outside, join(importDir(own), '.imported'))
    await addImportFile(own, `${slug}/a.jpg`, await jpeg())
    await waitForImports(own, id, 1)
    expect(await listImportFiles(own)).toEqual(['.imported', `${slug}/a.jpg`])
    expect(listRows(own)).toEqual([{ path: `${slug}/a.jpg`, problem: null, is_kept: 1 }])
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
})

describe('a file that cannot be moved away', () => {
  test('is recorded: a later scan, a restart or a new time creates no second photo', async () => {
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
    const { createHash } = await import('node:crypto')
    const { stat } = await import('node:fs/promises')
    const { id, slug } = await createEvent(api)
    const hidden = await addImportFile(service, `.aside/a.jpg`, await jpeg({ seed: 50 }))
    const digest = createHash('sha256').update(`folder\n/${slug}/a.jpg`).digest('hex')
    await insertPendingImport(`${slug}/a.jpg`, digest, id, await stat(hidden))
    await mkdir(importPath(slug))
    execFileSync('cp', ['-p', hidden, importPath(slug, 'a.jpg')])
    await expect.poll(() => listImportFiles(service), importTimeout).toContain(`.imported/${slug}/a.jpg`)
    expect(await loadPhotos(service, id)).toEqual([])
    await expect.poll(() => listRows(service), importTimeout).toEqual([])
  })

  test('between move and cleanup, the row is deleted', async () => {
    const { id, slug } = await createEvent(api)
    await mkdir(importPath(slug))
    await insertPendingImport(`${slug}/gone.jpg`, 'c'.repeat(64), id, { size: 1, mtimeMs: 1 })
    await expect.poll(() => listRows(service), importTimeout).toEqual([])
  })
})
