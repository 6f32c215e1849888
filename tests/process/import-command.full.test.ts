import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEvent } from '../support/fixtures/events.ts'
import { loadPhotos } from '../support/fixtures/imports.ts'
import { jpeg } from '../support/media/pictures.ts'
import { sidecarForms } from '../support/media/sidecar-forms.ts'
import { writeForeignZip } from '../support/picpeak/write-zip.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { runBeside } from '../support/service/proofroom-command.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const importCommand = (...args: string[]) => runBeside(service, ['import', ...args])

async function folderWith(files: Record<string, Uint8Array>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
  return folder
}

test('proofroom import --event imports a folder and its ratings once, does not change it, and reports each file', async () => {
  const { id, slug } = await createEvent(service.api)
  const sidecar = (rating: string) => Buffer.from(sidecarForms.exiftool({ rating, label: 'Rouge' }))
  const folder = await folderWith({
    'IMG_2.jpg': await jpeg({ seed: 2 }),
    'IMG_2.CR3.xmp': sidecar('5'),
    'IMG_3.xmp': sidecar('1'),
    'IMG_10.jpg': await jpeg({ seed: 10 }),
    'Copie de IMG_10.jpg': await jpeg({ seed: 10 }),
    'Ceremony/IMG_1.jpg': await jpeg({ seed: 1 }),
    'notes.txt': Buffer.from('no picture'),
    '.hidden.jpg': await jpeg({ seed: 3 }),
  })
  const before = await readdir(folder, { recursive: true })
  await service.admin.put('/api/admin/settings', { general_read_culling_marks: true })
  const first = await importCommand('--event', slug, folder)
  expect(first.stdout).toContain('3 imported, 1 already present, 2 not imported.')
  expect(first.stdout).toMatch(/notes\.txt: This image format is not supported/)
  expect(first.stdout).toContain('IMG_3.xmp')
  expect(first.code).toBe(1)
  expect(await loadPhotos(service, id)).toMatchObject([
    { original_filename: 'IMG_2.jpg', category: null, my_rating: 5, my_color_label: 'red' },
    { original_filename: 'IMG_10.jpg', category: null },
    { original_filename: 'IMG_1.jpg', uploaded_by: 'import', category: 'Ceremony' },
  ])
  expect(await readdir(folder, { recursive: true })).toEqual(before)

  await writeFile(join(folder, 'notes.txt'), await jpeg({ seed: 4 }))
  await rm(join(folder, 'IMG_3.xmp'))
  const second = { code: 0, stdout: expect.stringContaining('1 imported, 4 already present, 0 not imported.') }
  expect(await importCommand('--event', slug, folder)).toMatchObject(second)
  expect(await loadPhotos(service, id)).toHaveLength(4)
})

test('proofroom import without an event imports each folder into the event of its slug', {
  tags: 'nightly',
}, async () => {
  const [a, b] = [await createEvent(service.api), await createEvent(service.api)]
  const folder = await folderWith({
    [`${a.slug}/1.jpg`]: await jpeg({ seed: 1 }),
    [`${b.slug}/Party/2.jpg`]: await jpeg({ seed: 2 }),
    'nobody/3.jpg': await jpeg({ seed: 3 }),
  })
  const { code, stdout } = await importCommand(folder)
  expect(stdout).toContain('2 imported, 0 already present, 1 not imported.')
  expect(stdout).toContain('nobody: There is no event with this slug.')
  expect(code).toBe(1)
  expect(await loadPhotos(service, a.id)).toHaveLength(1)
  expect((await loadPhotos(service, b.id)).map(({ category }) => category)).toEqual(['Party'])
})

test('proofroom import makes drafts of folders, and finds them again', { tags: 'nightly' }, async () => {
  const folder = await folderWith({
    '2026-06-20 Ana & Ben/1.jpg': await jpeg({ seed: 1 }),
    '2026-06-20 Ana & Ben/Party/2.jpg': await jpeg({ seed: 2 }),
    'Lena/3.jpg': await jpeg({ seed: 3 }),
    'stray.jpg': await jpeg({ seed: 4 }),
  })
  await mkdir(join(folder, 'empty'))
  const first = await importCommand('--folders', 'events', folder)
  expect(first.stdout).toMatch(/^Draft created: Ana & Ben \(other-ana-and-ben-2026-06-20\)\nDraft created: Lena \(/)
  expect(first.stdout).toContain('3 imported, 0 already present, 1 not imported.')
  expect(first.stdout).toContain('stray.jpg: The file is not in the folder of an event.')
  const { body } = await service.api.get('/api/v1/events?search=Ana')
  const [event] = body.events
  expect(event).toMatchObject({ event_name: 'Ana & Ben', event_date: '2026-06-20', is_draft: true })
  const photos = await loadPhotos(service, event.id)
  expect(photos.map(({ category }) => category)).toEqual([null, 'Party'])

  await writeFile(join(folder, 'Lena/5.jpg'), await jpeg({ seed: 5 }))
  const second = await importCommand('--folders', 'events', folder)
  expect(second.stdout).toMatch(/^1 imported, 3 already present, 1 not imported\./)
})

test('proofroom import makes one draft of a ZIP', { tags: 'nightly' }, async () => {
  const folder = await temporaryFolder()
  const zip = join(folder, 'Ana & Ben (web).zip')
  const party = 'Ana & Ben/Party/Blumenstrauß.jpg'
  await writeFile(
    zip,
    writeForeignZip([
      { name: 'Ana & Ben/1.jpg', bytes: await jpeg({ seed: 1 }) },
      { name: party, bytes: await jpeg({ seed: 2 }) },
      { name: 'Ana & Ben/damaged.jpg', bytes: await jpeg({ seed: 3 }), crc: 1 },
      { name: `__MACOSX/${party}`, bytes: Buffer.from('x') },
      { name: 'Ana & Ben/.DS_Store', bytes: Buffer.from('x') },
      { name: '../up.jpg', bytes: await jpeg({ seed: 4 }) },
    ]),
  )
  const { stdout, code } = await importCommand('--folders', 'categories', zip)
  expect(stdout).toMatch(/^Draft created: Ana & Ben \(web\) \(.*\n2 imported, 0 already present, 2 not imported\./)
  expect(stdout).toContain('damaged.jpg: The file cannot be read.')
  expect(stdout).toContain('The name leads out of the ZIP.')
  expect(code).toBe(1)
  const { body } = await service.api.get('/api/v1/events?search=web')
  const photos = await loadPhotos(service, body.events[0].id)
  expect(photos.map(({ original_filename, category }) => [original_filename, category])).toEqual([
    ['1.jpg', null],
    ['Blumenstrauß.jpg', 'Party'],
  ])
  const again = await importCommand('--folders', 'categories', zip)
  expect(again.stdout).toMatch(/^0 imported, 2 already present, 2 not imported\./)
})

test('proofroom import names what it does not find', { tags: 'nightly' }, async () => {
  const folder = await temporaryFolder()
  const { code, stderr } = await importCommand(join(folder, 'gone'))
  expect([code, stderr]).toEqual([1, expect.stringContaining('is not a folder and not a ZIP')])
  const unknown = { code: 1, stderr: 'There is no event with the slug nobody.\n' }
  expect(await importCommand('--event', 'nobody', folder)).toMatchObject(unknown)
})

test('a retouched file replaces the photo of its name if the command says so, and a repeated import does nothing', {
  tags: 'nightly',
}, async () => {
  const { id, slug } = await createEvent(service.api)
  for (const [index, name] of ['DSC_1.JPG', 'DSC_2.JPG', 'DSC_3.JPG'].entries()) {
    await service.api.upload(id, await jpeg({ seed: index, takenAt: `2026:05:01 10:00:0${index}` }), { name })
  }
  const before = await loadPhotos(service, id)
  const folder = await folderWith({
    'dsc_1.jpg': await jpeg({ seed: 8, takenAt: '2026:05:01 10:00:00' }),
    'DSC_2.JPG': await jpeg({ seed: 1, takenAt: '2026:05:01 10:00:01' }),
    'DSC_3.JPG': await jpeg({ seed: 9, takenAt: '2026:05:01 11:11:11' }),
  })
  const undecided = await importCommand('--event', slug, folder)
  expect(undecided.stdout).toContain('0 imported, 1 already present, 2 not imported.')
  expect(undecided).toMatchObject({ code: 1, stdout: expect.stringContaining('Choose with --same-name') })
  expect(await loadPhotos(service, id)).toEqual(before)

  const replaced = await importCommand('--event', slug, '--same-name', 'replace', folder)
  expect(replaced).toMatchObject({ code: 0, stdout: expect.stringContaining('1 replaced.') })
  expect(replaced.stdout).toContain('1 added: the photo with its name was taken at another time.')
  const after = await loadPhotos(service, id)
  expect(after).toHaveLength(4)
  expect(after.slice(0, 3).map((photo) => [photo.id, photo.source_filename])).toEqual(
    before.map((photo) => [photo.id, photo.source_filename]),
  )
  expect(after[0]?.content_hash).not.toBe(before[0]?.content_hash)
  const again = await importCommand('--event', slug, '--same-name', 'replace', folder)
  expect(again.stdout).toContain('0 imported, 3 already present, 0 not imported.')
  expect(await loadPhotos(service, id)).toEqual(after)
})

test('with --same-name version, a retouched file is the next version of the photo of its name, if the event keeps versions', {
  tags: 'nightly',
}, async () => {
  const { id, slug } = await createEvent(service.api)
  const { body: photo } = await service.api.upload(id, await jpeg({ seed: 1 }), { name: 'DSC_1.JPG' })
  const folder = await folderWith({ 'dsc_1.jpg': await jpeg({ seed: 2 }), 'DSC_2.JPG': await jpeg({ seed: 3 }) })
  const args = ['--event', slug, '--same-name', 'version', folder]
  const stderr = expect.stringContaining(`The event ${slug} does not keep versions.`)
  expect(await importCommand(...args)).toMatchObject({ code: 2, stderr })
  expect(await loadPhotos(service, id)).toHaveLength(1)

  await service.api.patch(`/api/v1/events/${id}`, { keep_versions: true })
  const { code, stdout } = await importCommand(...args)
  expect(stdout).toContain('1 imported, 0 already present, 0 not imported.\n1 added as the next version of its photo.')
  expect(code).toBe(0)
  const versions = async () => (await service.api.get(`/api/v1/events/${id}/photos/${photo.id}/versions`)).body.versions
  expect(await versions()).toMatchObject([
    { number: 1, content_hash: photo.content_hash },
    { number: 2, original_filename: 'dsc_1.jpg', is_current: true },
  ])
  await writeFile(join(folder, 'DSC_1 of the camera.jpg'), await jpeg({ seed: 1 }))
  expect((await importCommand(...args)).stdout).toContain('0 imported, 2 already present, 0 not imported.\n1 left out')
  expect(await versions()).toHaveLength(2)
})
