import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { readXmp } from '../../../server/platform/xmp/read-xmp.ts'
import { createEvent, type TestEvent } from '../../support/fixtures/events.ts'
import {
  createVictim,
  type HostileFile,
  hostileFiles,
  placeHostile,
  victimText,
} from '../../support/fixtures/hostile-folder.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { rawFile } from '../../support/media/raw-files.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { runMeasured } from '../../support/service/proofroom-command.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, api } = service
const { body: created } = await admin.post('/api/admin/api-tokens', { name: 'sync', scopes: ['write'] })
const maxBytes = 500 * 2 ** 20

const sync = (event: TestEvent, folder: string, ...options: string[]) =>
  runMeasured(['sync', String(event.id), folder, ...options], {
    PROOFROOM_URL: service.url,
    PROOFROOM_TOKEN: created.token,
  })

const stateName = (event: TestEvent) => `${new URL(service.url).host.replace(':', '_')}-${event.id}.json`

async function eventWith(...names: string[]): Promise<TestEvent> {
  const event = await createEvent(api)
  for (const [index, name] of names.entries()) {
    const { status, body } = await api.upload(event.id, new Uint8Array(await jpeg({ seed: index + 1 })), { name })
    expect(status).toBe(201)
    await api.put(`/api/v1/events/${event.id}/photos/${body.id}/mark`, { rating: 4 })
  }
  return event
}

async function writeRaw(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, rawFile('2026:06:20 12:00:01'))
}

test('a link, a device or a file that is too large is not read in place of the state', {
  tags: 'nightly',
}, async () => {
  const event = await eventWith('IMG_1.jpg')
  const state = join('.proofroom', stateName(event))
  const cases: Array<[path: string, kind: HostileFile | 'link to a folder', code: number, text: string]> = [
    [`${state}.part`, 'link', 0, ''],
    ['.proofroom', 'link to a folder', 2, '.proofroom is a symbolic link'],
    ...hostileFiles.map((kind): (typeof cases)[0] => [state, kind, 2, stateName(event)]),
  ]
  for (const [path, kind, expected, text] of cases) {
    const [folder, victim] = [await temporaryFolder(), await createVictim()]
    await writeRaw(join(folder, 'IMG_1.CR3'))
    if (kind === 'link to a folder') await symlink(victim.folder, join(folder, path))
    else await placeHostile(join(folder, path), kind, victim)
    const { code, stderr, maxMemoryBytes } = await sync(event, folder, '--marks', 'mine')
    expect(stderr, kind).toContain(text)
    expect(code, kind).toBe(expected)
    expect(maxMemoryBytes).toBeLessThan(maxBytes)
    await victim.expectUntouched()
    if (code === 0) expect((await lstat(join(folder, state))).isFile()).toBe(true)
    else expect((await readdir(folder)).sort()).toEqual(['.proofroom', 'IMG_1.CR3'])
  }
})

test('sidecars and pictures that are links, devices, pipes or too large are listed and left alone', async () => {
  const nfd = 'Bräutigam 1'.normalize('NFD')
  const names = hostileFiles.map((_, index) => `IMG_${index + 1}.jpg`)
  const event = await eventWith('Bräutigam 1.jpg', ...names, 'OUT.jpg', 'LINKED.jpg')
  const [folder, victim] = [await temporaryFolder(), await createVictim()]
  for (const [index, kind] of hostileFiles.entries()) {
    await writeRaw(join(folder, `IMG_${index + 1}.CR3`))
    await placeHostile(join(folder, `IMG_${index + 1}.xmp`), kind, victim)
  }
  // A folder and a picture behind links, which are not part of the originals.
  const outside = await temporaryFolder()
  await writeRaw(join(outside, 'OUT.CR3'))
  await writeFile(join(outside, 'LINKED.jpg'), await jpeg({ seed: names.length + 3 }))
  await symlink(outside, join(folder, 'Sub'))
  await symlink(join(outside, 'LINKED.jpg'), join(folder, 'LINKED.jpg'))
  await writeRaw(join(folder, 'Ærø & Ünal', `${nfd}.CR3`))
  // The operator may name the folder by a link.
  const named = join(await temporaryFolder(), 'my photos')
  await symlink(folder, named)

  for (const options of [[], ['--embed'], ['--push']]) {
    const { code, stdout, maxMemoryBytes } = await sync(event, named, '--marks', 'mine', '--json', ...options)
    const report = JSON.parse(stdout)
    expect(report.failed.map(({ path }: { path: string }) => path).sort()).toEqual(
      hostileFiles.map((_, index) => `IMG_${index + 1}.xmp`),
    )
    expect(report.missing.map(({ name }: { name: string }) => name).sort()).toEqual(['LINKED.jpg', 'OUT.jpg'])
    expect(code).toBe(1)
    expect(maxMemoryBytes).toBeLessThan(maxBytes)
  }
  await victim.expectUntouched()
  expect((await readdir(outside)).sort()).toEqual(['LINKED.jpg', 'OUT.CR3'])
  expect(readXmp(await readFile(join(folder, 'Ærø & Ünal', `${nfd}.xmp`))).rating).toBe(4)
  const hidden = (await readdir(folder)).filter((name) => name.startsWith('.'))
  expect(hidden).toEqual(['.proofroom'])
  expect(await readFile(join(folder, '.proofroom', stateName(event)), 'utf8')).not.toContain(victimText)
})
