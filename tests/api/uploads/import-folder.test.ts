import { execFileSync } from 'node:child_process'
import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDatabase } from '../../support/database/service-database.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import {
  addImportFile,
  eagerImports,
  importDir,
  importTimeout,
  listImportFiles,
  loadImportHealth,
  loadPhotos,
  waitForImports,
} from '../../support/fixtures/imports.ts'
import { jpeg, picture } from '../../support/media/pictures.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { createTestWebhook, listAnnouncedOf } from '../../support/webhooks/webhooks.ts'

const service = await serviceForFile({ edges: eagerImports })
const { api, admin } = service
await createTestWebhook(service)
const importPath = (...path: string[]) => join(importDir(service), ...path)

test('a file becomes a photo, is announced once and is moved away', async () => {
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
  expect(readDatabase(service, (stored) => stored.prepare('select * from imported_files').all())).toEqual([])
  const { bytes: original } = await api.get(`/api/v1/events/${id}/photos/${photo?.id}/download`)
  expect(original.equals(bytes)).toBe(true)
})

test('it gets the category of its subfolder, which is created if missing', async () => {
  const { id, slug } = await createEvent(api)
  for (const [seed, path] of ['ceremony/1.jpg', 'First dance/2.jpg', 'First dance/the best/3.jpg'].entries()) {
    await addImportFile(service, `${slug}/${path}`, await jpeg({ seed: 2 + seed }))
  }
  const photos = await waitForImports(service, id, 3)
  const categorized = photos.map(({ category, auto_categorized }) => [category, auto_categorized])
  expect(categorized.sort()).toEqual([
    ['Ceremony', true],
    ['First dance', true],
    ['First dance', true],
  ])
  const { body } = await admin.get(`/api/admin/categories/event/${id}`)
  const own = body.filter((one: { event_id: number | null }) => one.event_id === id)
  expect(own).toMatchObject([{ name: 'First dance', photo_count: 2 }])
})

test('what is no photo moves to .refused with the reason, shows on the health page, and is checked again', async () => {
  const { id, slug } = await createEvent(api)
  await addImportFile(service, `${slug}/Raw/IMG_1.CR2`, Buffer.from('no picture at all'))
  await addImportFile(service, `${slug}/movie.gif`, await picture('gif'))
  await expect.poll(async () => (await loadImportHealth(service)).facts.refused, importTimeout).toBe(2)
  expect((await listImportFiles(service)).filter((path) => path.includes(slug))).toEqual([
    `.refused/${slug}/Raw/IMG_1.CR2`,
    `.refused/${slug}/Raw/IMG_1.CR2.txt`,
    `.refused/${slug}/movie.gif`,
    `.refused/${slug}/movie.gif.txt`,
  ])
  const reason = await readFile(importPath('.refused', slug, 'movie.gif.txt'), 'utf8')
  expect(reason).toBe(`${slug}/movie.gif was not imported. File type not allowed.\n`)
  const health = await loadImportHealth(service)
  expect(health).toMatchObject({ status: 'warn', facts: { waiting: false } })
  expect(health.text).toMatch(/^The import rejected 2 files in the last 7 days, most recently .*\.$/)
  // A rejected file creates no category.
  const { body } = await admin.get(`/api/admin/categories/event/${id}`)
  expect(body.filter((one: { event_id: number | null }) => one.event_id === id)).toEqual([])

  await admin.put('/api/admin/settings', { general_allowed_file_types: 'jpg,gif' })
  await rename(importPath('.refused', slug, 'movie.gif'), importPath(slug, 'movie.gif'))
  await waitForImports(service, id, 1)
})

test('links, pipes and linked folders are never followed; unfinished, empty and loose files stay', async () => {
  const { id, slug } = await createEvent(api)
  await mkdir(importPath('.elsewhere/folder'), { recursive: true })
  await writeFile(importPath('.elsewhere/folder/secret.jpg'), await jpeg({ seed: 30 }))
  await mkdir(importPath(slug), { recursive: true })
  await symlink(importPath('.elsewhere/folder/secret.jpg'), importPath(slug, 'link.jpg'))
  await symlink(importPath('.elsewhere/folder'), importPath(slug, 'linked'))
  execFileSync('mkfifo', [importPath(slug, 'pipe.jpg')])
  const staying = [`${slug}/a.jpg.part`, `${slug}/empty.jpg`, 'loose.jpg']
  for (const path of staying) {
    await addImportFile(service, path, path.includes('empty') ? Buffer.alloc(0) : await jpeg({ seed: 6 }))
  }
  const linked = await createEvent(api)
  await symlink(importPath('.elsewhere/folder'), importPath(linked.slug))
  await addImportFile(service, `${slug}/real.jpg`, await jpeg({ seed: 31 }))
  await waitForImports(service, id, 1)
  expect(await loadPhotos(service, linked.id)).toEqual([])
  expect(await listImportFiles(service)).toEqual(expect.arrayContaining(staying))
  const { text } = await loadImportHealth(service)
  for (const name of ['loose.jpg', linked.slug]) expect(text).toMatch(new RegExp(`are ignored: .*${name}`))
})

test('files wait while no event has the slug, the event is archived or full, and the health page reports them', async () => {
  const hasReported = (text: string) =>
    expect.poll(async () => (await loadImportHealth(service)).text, importTimeout).toContain(text)
  await addImportFile(service, 'wedding-nobody/a.jpg', await jpeg())
  await hasReported('match no event: wedding-nobody')
  expect(await listImportFiles(service)).toContain('wedding-nobody/a.jpg')
  await rm(importPath('wedding-nobody'), { recursive: true })

  const { id, slug } = await createEvent(api, { photo_cap: 1 })
  await api.post(`/api/v1/events/${id}/archive`, {})
  for (const seed of [23, 24]) await addImportFile(service, `${slug}/${seed}.jpg`, await jpeg({ seed }))
  await hasReported(`archived events: ${slug}`)
  expect(await listImportFiles(service)).toEqual(expect.arrayContaining([`${slug}/23.jpg`, `${slug}/24.jpg`]))
  await api.post(`/api/v1/events/${id}/restore`, {})
  await waitForImports(service, id, 1)
  await hasReported(`maximum number of photos: ${slug}`)
  await api.patch(`/api/v1/events/${id}`, { photo_cap: 0 })
  await waitForImports(service, id, 2)
})
