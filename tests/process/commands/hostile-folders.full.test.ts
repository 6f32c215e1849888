import { rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEvent } from '../../support/fixtures/events.ts'
import { createVictim, hostileFiles, placeHostile, type Victim } from '../../support/fixtures/hostile-folder.ts'
import { loadPhotos } from '../../support/fixtures/imports.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { makePicPeak } from '../../support/picpeak/picpeak-installation.ts'
import { linkCompileCache } from '../../support/run/compile-cache.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { createCompiledDataDir, runMeasured } from '../../support/service/proofroom-command.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, api, dataDir } = service
await admin.put('/api/admin/settings', { general_read_culling_marks: true })
const { body: created } = await admin.post('/api/admin/api-tokens', { name: 'share', scopes: ['write'] })
await linkCompileCache(dataDir)
const maxBytes = 500 * 2 ** 20

/** Pictures with hostile sidecars, hostile pictures, and a folder behind a link. */
async function fillFolder(folder: string, victim: Victim): Promise<void> {
  for (const [index, kind] of hostileFiles.entries()) {
    await writeFile(join(folder, `IMG_${index + 1}.jpg`), await jpeg({ seed: index + 1 }))
    await placeHostile(join(folder, `IMG_${index + 1}.xmp`), kind, victim)
    await placeHostile(join(folder, `hostile ${kind}.jpg`), kind, victim)
  }
  const outside = await temporaryFolder()
  await writeFile(join(outside, 'outside.jpg'), await jpeg({ seed: 50 }))
  await symlink(outside, join(folder, 'Sub'))
  await symlink(join(outside, 'outside.jpg'), join(folder, 'linked.jpg'))
}

const goodNames = hostileFiles.map((_, index) => `IMG_${index + 1}.jpg`)
const sparse = hostileFiles.indexOf('sparse') + 1

async function shareHostileFolder(environment: Record<string, string>): Promise<void> {
  const [folder, victim] = [join(await temporaryFolder(), 'Ünal & Ærø'), await createVictim()]
  await placeHostile(join(folder, 'pipe'), 'pipe', victim)
  await fillFolder(folder, victim)
  const { code, stdout, stderr, maxMemoryBytes } = await runMeasured(['share', folder, '--name', 'Ana'], environment)
  expect(stdout, stderr).toContain(`${goodNames.length} of ${goodNames.length + 1} photos shared.`)
  expect(stdout).toMatch(/hostile sparse\.jpg: .*(too large|Maximum)/i)
  for (const [index] of hostileFiles.entries()) expect(stdout).toMatch(new RegExp(`IMG_${index + 1}.xmp: It is `))
  expect(code).toBe(1)
  expect(maxMemoryBytes).toBeLessThan(maxBytes)
  await victim.expectUntouched()
  const [, slug = ''] = /\/gallery\/([^/\s]+)/.exec(stdout) ?? []
  const { events } = (await api.get(`/api/v1/events?search=${slug}`)).body
  const { photos } = (await api.get(`/api/v1/events/${events[0].id}/photos`)).body
  const names = photos.map((photo: { original_filename: string }) => photo.original_filename)
  expect(names.sort()).toEqual(goodNames)
}

test('proofroom share, on the data, takes neither links nor devices, and little memory', () =>
  shareHostileFolder({ DATA_DIR: dataDir }))

test(
  'proofroom share, through the service, takes neither links nor devices, and little memory',
  {
    tags: 'nightly',
  },
  () => shareHostileFolder({ PROOFROOM_URL: service.url, PROOFROOM_TOKEN: created.token }),
)

test('proofroom import takes neither links nor devices, and little memory', { tags: 'nightly' }, async () => {
  const { id, slug } = await createEvent(api)
  const [folder, victim] = [await temporaryFolder(), await createVictim()]
  await fillFolder(folder, victim)
  const { code, stdout, stderr, maxMemoryBytes } = await runMeasured(['import', '--event', slug, folder], {
    DATA_DIR: dataDir,
  })
  expect(stdout, stderr).toContain(`${goodNames.length} imported, 0 already present, 2 not imported.`)
  expect(stdout).toContain(`IMG_${sparse}.xmp: The sidecar is larger than 4 MB. Its marks were not read.`)
  expect(code).toBe(1)
  expect(maxMemoryBytes).toBeLessThan(maxBytes)
  await victim.expectUntouched()
  expect((await loadPhotos(service, id)).map((photo) => photo.original_filename).sort()).toEqual(goodNames)
})

test('proofroom import --folders events takes neither links nor devices', { tags: 'nightly' }, async () => {
  const [folder, victim] = [await temporaryFolder(), await createVictim()]
  await placeHostile(join(folder, 'Wedding', 'pipe'), 'pipe', victim)
  await fillFolder(join(folder, 'Wedding'), victim)
  await symlink(victim.folder, join(folder, 'Linked'))
  const { stdout, stderr, maxMemoryBytes } = await runMeasured(['import', '--folders', 'events', folder], {
    DATA_DIR: dataDir,
  })
  expect(stdout, stderr).toContain(`${goodNames.length} imported`)
  expect(stdout).not.toContain('start-file')
  expect(stdout.match(/Draft created/g)).toHaveLength(1)
  expect(maxMemoryBytes).toBeLessThan(maxBytes)
  await victim.expectUntouched()
})

async function importHostilePicPeak(options: string[]): Promise<void> {
  const { folder, storage } = await makePicPeak()
  const victim = await createVictim()
  const secret = join(storage, 'secret.jpg')
  await writeFile(secret, await jpeg({ seed: 60 }))
  const originals = ['Ana_Ben_vows_0001.jpg', 'Ana_Ben_vows_0002.jpg', 'Ana_Ben_0003.jpg']
  for (const [index, name] of originals.entries()) {
    const path = join(storage, 'events/active/wedding-ana-ben', name)
    await unlink(path)
    // The first is a link inside of the storage folder.
    if (index === 0) await symlink(secret, path)
    else await placeHostile(path, index === 1 ? 'pipe' : 'link to a device', victim)
  }
  const DATA_DIR = await createCompiledDataDir()
  const args = ['import', 'picpeak', folder, '--json', ...options]
  const { stdout, stderr, maxMemoryBytes } = await runMeasured(args, { DATA_DIR })
  const { differences } = JSON.parse(stdout || `"${stderr}"`)
  const missing = differences.filter(({ reason }: { reason: string }) => /The file .* is missing/.test(reason))
  expect(missing.map(({ id }: { id: string }) => id).sort()).toEqual(['1', '2', '4'])
  expect(maxMemoryBytes).toBeLessThan(maxBytes)
}

test('proofroom import picpeak takes no links, pipes and devices for originals', () => importHostilePicPeak([]))

test('proofroom import picpeak --link takes no links, pipes and devices for originals', { tags: 'nightly' }, () =>
  importHostilePicPeak(['--link']),
)

test('the log of a PicPeak database is a plain file', { tags: 'nightly' }, async () => {
  const { folder } = await makePicPeak()
  const [victim, log] = [await createVictim(), join(folder, 'data/photo_sharing.db-wal')]
  for (const kind of ['link to a device', 'pipe', 'device', 'link'] as const) {
    await rm(log, { force: true })
    await placeHostile(log, kind, victim)
    const DATA_DIR = await createCompiledDataDir()
    const { code, stderr, maxMemoryBytes } = await runMeasured(['import', 'picpeak', folder, '--dry-run'], { DATA_DIR })
    expect(stderr, kind).toMatch(/photo_sharing\.db-wal cannot be read: It is (a symbolic link|not a regular file)/)
    expect(code, kind).toBe(2)
    expect(maxMemoryBytes).toBeLessThan(maxBytes)
  }
  await victim.expectUntouched()
})
