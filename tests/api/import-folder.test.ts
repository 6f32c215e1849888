import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createEvent } from '../support/events.ts'
import {
  bring,
  eagerImports,
  importDir,
  imported,
  importHealth,
  importingService,
  photosOf,
  soon,
  standing,
  waitForScans,
} from '../support/imports.ts'
import { jpeg, picture } from '../support/pictures.ts'
import { changeDatabase, inDatabase } from '../support/stored.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { serviceForFile, type TestService } from '../support/test-service.ts'
import { allowVideos, clip, processed } from '../support/videos.ts'
import { announcedOf, subscribe } from '../support/webhooks.ts'

const service = await serviceForFile({ edges: eagerImports })
const { api, admin } = service
const at = (...path: string[]) => join(importDir(service), ...path)
const rowsOf = (of: TestService) =>
  inDatabase(of, (stored) => stored.prepare('select path, problem, is_kept from imported_files order by path').all())

describe('a file in the folder of an event', () => {
  test('becomes a photo, is announced once and is moved away', async () => {
    await subscribe(service)
    const { id, slug } = await createEvent(api)
    const bytes = await jpeg({ seed: 1 })
    await bring(service, `${slug}/IMG_1.JPG`, bytes)
    const [photo] = await imported(service, id, 1)
    expect(photo).toMatchObject({
      original_filename: 'IMG_1.JPG',
      source_filename: 'IMG_1.JPG',
      uploaded_by: 'import',
      category_id: null,
      auto_categorized: false,
      processing_status: 'ready',
      size_bytes: bytes.length,
    })
    const told = announcedOf(service, id).filter(({ type }) => type === 'photo.uploaded')
    expect(told.map(({ data }) => [data.photo.id, data.photo.replaced])).toEqual([[photo?.id, false]])
    expect(await readFile(at('.imported', slug, 'IMG_1.JPG'))).toEqual(bytes)
    expect(await standing(service)).toEqual([`.imported/${slug}/IMG_1.JPG`])
    expect(rowsOf(service)).toEqual([])
    const { bytes: original } = await api.get(`/api/v1/events/${id}/photos/${photo?.id}/download`)
    expect(original.equals(bytes)).toBe(true)
  })

  test('gets the category of its subfolder at any depth, which is created if missing', async () => {
    const { id, slug } = await createEvent(api)
    await bring(service, `${slug}/ceremony/1.jpg`, await jpeg({ seed: 2 }))
    await bring(service, `${slug}/First dance/2.jpg`, await jpeg({ seed: 3 }))
    await bring(service, `${slug}/First dance/the best/3.jpg`, await jpeg({ seed: 4 }))
    const photos = await imported(service, id, 3)
    const filed = photos.map(({ category, auto_categorized }) => [category, auto_categorized])
    expect(filed.sort()).toEqual([
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
    const own = await importingService()
    await allowVideos(own)
    const { id, slug } = await createEvent(own.api)
    await bring(own, `${slug}/film.mp4`, await clip('film.mp4'))
    await bring(own, `${slug}/picture.mp4`, await jpeg())
    const [video] = await imported(own, id, 1)
    expect(video).toMatchObject({ original_filename: 'film.mp4', media_type: 'video', uploaded_by: 'import' })
    expect(await processed(own.api, id, video?.id ?? 0)).toMatchObject({ processing_status: 'ready' })
    expect(await standing(own)).toContain(`.refused/${slug}/picture.mp4`)
  })

  test('is skipped while it is empty, hidden or has a temporary name', async () => {
    const { id, slug } = await createEvent(api)
    const names = ['a.jpg.part', '.b.jpg', 'c.crdownload', '~$d.jpg', 'Thumbs.db', '@eaDir/e.jpg', '.sync/f.jpg']
    for (const name of names) await bring(service, `${slug}/${name}`, await jpeg({ seed: 6 }))
    await bring(service, `${slug}/empty.jpg`, Buffer.alloc(0))
    await waitForScans(service)
    expect(await photosOf(service, id)).toEqual([])
    expect((await standing(service)).filter((path) => path.startsWith(slug))).toHaveLength(8)
    await bring(service, `${slug}/a.jpg`, await jpeg({ seed: 6 }))
    await imported(service, id, 1)
  })

  test('creates no second photo of the same content, and is moved away too', async () => {
    const { id, slug } = await createEvent(api)
    const bytes = await jpeg({ seed: 7 })
    await api.upload(id, bytes, { name: 'by-hand.jpg' })
    await bring(service, `${slug}/a.jpg`, bytes)
    await bring(service, `${slug}/copy of a.jpg`, bytes)
    await expect
      .poll(() => standing(service), soon)
      .toEqual(expect.arrayContaining([`.imported/${slug}/a.jpg`, `.imported/${slug}/copy of a.jpg`]))
    await imported(service, id, 1)
  })

  test('becomes a photo again if it returns after a deletion', async () => {
    const { id, slug } = await createEvent(api)
    const bytes = await jpeg({ seed: 8 })
    await bring(service, `${slug}/a.jpg`, bytes)
    const [first] = await imported(service, id, 1)
    expect((await admin.delete(`/api/admin/photos/${id}/photos/${first?.id}`)).status).toBe(200)
    await bring(service, `${slug}/a.jpg`, bytes)
    await imported(service, id, 1)
    expect((await standing(service)).filter((path) => path.includes(slug))).toEqual([
      `.imported/${slug}/a.jpg`,
      `.imported/${slug}/a_1.jpg`,
    ])
  })

  test('is imported in the order of names, numbers as numbers', async () => {
    const { id, slug } = await createEvent(api)
    await mkdir(at(`.${slug}`), { recursive: true })
    for (const [seed, name] of ['IMG_10.jpg', 'IMG_9.jpg', 'IMG_100.jpg'].entries()) {
      await writeFile(at(`.${slug}`, name), await jpeg({ seed: 10 + seed }))
    }
    execFileSync('mv', [at(`.${slug}`), at(slug)])
    const photos = await imported(service, id, 3)
    expect(photos.map(({ original_filename: name }) => name)).toEqual(['IMG_9.jpg', 'IMG_10.jpg', 'IMG_100.jpg'])
  })
})

describe('a file that cannot be a photo', () => {
  test('moves to .refused with the reason, shows on the health page, and is checked again if it returns', async () => {
    const own = await importingService()
    const { id, slug } = await createEvent(own.api)
    await bring(own, `${slug}/Raw/IMG_1.CR2`, Buffer.from('no picture at all'))
    await bring(own, `${slug}/movie.gif`, await picture('gif'))
    await expect.poll(async () => (await importHealth(own)).facts.refused, soon).toBe(2)
    expect(await standing(own)).toEqual([
      `.refused/${slug}/Raw/IMG_1.CR2`,
      `.refused/${slug}/Raw/IMG_1.CR2.txt`,
      `.refused/${slug}/movie.gif`,
      `.refused/${slug}/movie.gif.txt`,
    ])
    const reason = await readFile(join(importDir(own), '.refused', slug, 'movie.gif.txt'), 'utf8')
    expect(reason).toBe(`${slug}/movie.gif was not imported. File type not allowed.\n`)
    const health = await importHealth(own)
    expect(health).toMatchObject({ status: 'warn', facts: { waiting: false } })
    expect(health.text).toMatch(/^2 files were refused by the import in the last 7 days, the last one .*\.$/)
    // A rejected file creates no category.
    const { body } = await own.admin.get(`/api/admin/categories/event/${id}`)
    expect(body.filter((one: { event_id: number | null }) => one.event_id === id)).toEqual([])

    await own.admin.put('/api/admin/settings', { general_allowed_file_types: 'jpg,gif' })
    await rename(join(importDir(own), '.refused', slug, 'movie.gif'), join(importDir(own), slug, 'movie.gif'))
    await imported(own, id, 1)
  })

  test('is rejected above the size limit of its type', async () => {
    const own = await importingService()
    const { id, slug } = await createEvent(own.api)
    await own.admin.put('/api/admin/settings', { general_max_file_size_mb: 1 })
    await bring(own, `${slug}/large.jpg`, Buffer.concat([await jpeg(), Buffer.alloc(2 ** 20)]))
    await expect.poll(async () => (await importHealth(own)).facts.refused, soon).toBe(1)
    expect((await importHealth(own)).text).toContain('File too large. Maximum size is 1 MB per file.')
    expect(await photosOf(own, id)).toEqual([])
  })
})

describe('files stay in place', () => {
  test('while no event has the slug of their folder, and the health page reports them', async () => {
    const own = await importingService()
    await bring(own, 'wedding-nobody/a.jpg', await jpeg())
    await expect
      .poll(async () => (await importHealth(own)).text, soon)
      .toContain('no event has the slug wedding-nobody')
    expect(await standing(own)).toEqual(['wedding-nobody/a.jpg'])
    await rm(join(importDir(own), 'wedding-nobody'), { recursive: true })
    await expect.poll(async () => (await importHealth(own)).status, soon).toBe('ok')
  })

  test('outside of event folders or in a linked folder, and the health page reports them', async () => {
    const own = await importingService()
    const elsewhere = await temporaryFolder()
    await bring(own, 'loose.jpg', await jpeg())
    await symlink(elsewhere, join(importDir(own), 'wedding-linked'))
    const told = async () => (await importHealth(own)).text
    await expect
      .poll(told, soon)
      .toMatch(/beside the folders: .*(loose\.jpg, wedding-linked|wedding-linked, loose\.jpg)/)
    for (const name of ['loose.jpg', 'wedding-linked']) await rm(join(importDir(own), name))
    await expect.poll(async () => (await importHealth(own)).status, soon).toBe('ok')
  })

  test('while the event is archived, but not in drafts and expired events', async () => {
    const { id, slug } = await createEvent(api)
    await api.post(`/api/v1/events/${id}/archive`, {})
    await bring(service, `${slug}/a.jpg`, await jpeg({ seed: 20 }))
    await expect.poll(async () => (await importHealth(service)).text, soon).toContain(`archived events: ${slug}`)
    expect(await standing(service)).toContain(`${slug}/a.jpg`)
    await api.post(`/api/v1/events/${id}/restore`, {})
    await imported(service, id, 1)

    const draft = await createEvent(api, { is_draft: true })
    await bring(service, `${draft.slug}/a.jpg`, await jpeg({ seed: 21 }))
    await imported(service, draft.id, 1)
    await changeDatabase(service, (stored) => stored.exec(`update events set expires_at = 1 where id = ${draft.id}`))
    await bring(service, `${draft.slug}/b.jpg`, await jpeg({ seed: 22 }))
    await imported(service, draft.id, 2)
  })

  test('while the event has reached its photo cap', async () => {
    const { id, slug } = await createEvent(api, { photo_cap: 1 })
    for (const seed of [23, 24]) await bring(service, `${slug}/${seed}.jpg`, await jpeg({ seed }))
    await imported(service, id, 1)
    expect((await importHealth(service)).text).toContain(`take no more photos: ${slug}`)
    await api.patch(`/api/v1/events/${id}`, { photo_cap: 0 })
    await imported(service, id, 2)
  })
})

describe('a path that is not a regular file', () => {
  test('symbolic links, pipes and linked folders are never followed', async () => {
    const { id, slug } = await createEvent(api)
    await mkdir(at('.elsewhere/folder'), { recursive: true })
    await writeFile(at('.elsewhere/folder/secret.jpg'), await jpeg({ seed: 30 }))
    await mkdir(at(slug), { recursive: true })
    await symlink(at('.elsewhere/folder/secret.jpg'), at(slug, 'link.jpg'))
    await symlink(at('.elsewhere/folder'), at(slug, 'linked'))
    execFileSync('mkfifo', [at(slug, 'pipe.jpg')])
    await bring(service, `${slug}/real.jpg`, await jpeg({ seed: 31 }))
    await imported(service, id, 1)
    const linked = await createEvent(api)
    await symlink(at('.elsewhere/folder'), at(linked.slug))
    await waitForScans(service)
    expect(await photosOf(service, linked.id)).toEqual([])
    await rm(at(slug), { recursive: true })
    await rm(at(linked.slug))
  })

  test('a link in place of .imported moves no file out of the folder', async () => {
    const own = await importingService()
    const { id, slug } = await createEvent(own.api)
    const outside = join(own.dataDir, 'outside')
    await mkdir(outside)
    await symlink(outside, join(importDir(own), '.imported'))
    await bring(own, `${slug}/a.jpg`, await jpeg())
    await imported(own, id, 1)
    expect(await standing(own)).toEqual(['.imported', `${slug}/a.jpg`])
    expect(rowsOf(own)).toEqual([{ path: `${slug}/a.jpg`, problem: null, is_kept: 1 }])
  })

  test('names of any bytes are accepted and made displayable', async () => {
    const { id, slug } = await createEvent(api)
    await mkdir(at(slug), { recursive: true })
    const names = [
      Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x6a, 0x70, 0x67]),
      Buffer.from("'; drop table photos;--.jpg"),
      Buffer.from('line\nbreak\u202egpj.jpg'),
      Buffer.from(`${'x'.repeat(251)}.jpg`),
      Buffer.from('a\\..\\b.jpg'),
    ]
    for (const [index, name] of names.entries()) {
      await writeFile(Buffer.concat([Buffer.from(`${at(slug)}/`), name]), await jpeg({ seed: 32 + index }))
    }
    const photos = await imported(service, id, 5)
    expect(photos.map(({ original_filename }) => original_filename).sort()).toEqual(
      ["'; drop table photos;--.jpg", 'b.jpg', 'f.jpg', 'linebreakgpj.jpg', `${'x'.repeat(251)}.jpg`].sort(),
    )
    expect((await standing(service)).filter((path) => path.startsWith(slug))).toEqual([])
  })
})

describe('a file that cannot be moved away', () => {
  test('is recorded: a later scan, a restart or a new time creates no second photo', async () => {
    const dataDir = await temporaryFolder()
    const start = async () => ({ ...(await importingService({ DATA_DIR: dataDir })), dataDir })
    let own = await start()
    const { id, slug } = await createEvent(own.api)
    // These files prevent the creation of the folders.
    await writeFile(join(importDir(own), '.imported'), '')
    await writeFile(join(importDir(own), '.refused'), '')
    const path = await bring(own, `${slug}/a.jpg`, await jpeg({ seed: 40 }))
    await bring(own, `${slug}/b.jpg`, Buffer.from('no picture'))
    const [photo] = await imported(own, id, 1)
    const kept = [
      { path: `${slug}/a.jpg`, problem: null, is_kept: 1 },
      { path: `${slug}/b.jpg`, problem: expect.stringMatching(/^This is not an image/), is_kept: 1 },
    ]
    await expect.poll(() => rowsOf(own), soon).toEqual(kept)
    expect((await own.admin.delete(`/api/admin/photos/${id}/photos/${photo?.id}`)).status).toBe(200)
    await own.stop()
    own = await start()
    await waitForScans(own)
    expect(await photosOf(own, id)).toEqual([])
    await utimes(path, new Date(), new Date(Date.now() - 86_400_000))
    await waitForScans(own)
    expect(await photosOf(own, id)).toEqual([])

    await writeFile(path, await jpeg({ seed: 41 }))
    await imported(own, id, 1)
    expect(rowsOf(own)).toEqual(kept)
  })
})

describe('after a crash', () => {
  const pending = (
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
    const hidden = await bring(service, `.aside/a.jpg`, await jpeg({ seed: 50 }))
    const digest = createHash('sha256').update(`folder\n/${slug}/a.jpg`).digest('hex')
    await pending(`${slug}/a.jpg`, digest, id, await stat(hidden))
    await mkdir(at(slug))
    execFileSync('cp', ['-p', hidden, at(slug, 'a.jpg')])
    await expect.poll(() => standing(service), soon).toContain(`.imported/${slug}/a.jpg`)
    expect(await photosOf(service, id)).toEqual([])
    await expect.poll(() => rowsOf(service), soon).toEqual([])
  })

  test('between move and cleanup, the row is deleted', async () => {
    const { id, slug } = await createEvent(api)
    await mkdir(at(slug))
    await pending(`${slug}/gone.jpg`, 'c'.repeat(64), id, { size: 1, mtimeMs: 1 })
    await expect.poll(() => rowsOf(service), soon).toEqual([])
  })
})
