import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { mergeXmp } from '../../server/platform/xmp/merge-xmp.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { jpeg, jpegWithXmp } from '../support/media/pictures.ts'
import { rawFile } from '../support/media/raw-files.ts'
import { sidecarForms } from '../support/media/sidecar-forms.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { createCompiledDataDir, runBeside, runToEnd } from '../support/service/proofroom-command.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()
const { admin, api } = service
const escapes = '\u001b]0;owned\u0007\u001b[2J\u202egpj'

test('share, on the data and through a service, takes over marks, and names skipped and rejected files', async () => {
  await admin.put('/api/admin/settings', { general_read_culling_marks: true })
  const { body } = await admin.post('/api/admin/api-tokens', { name: 'share', scopes: ['write'] })
  const [folder, elsewhere] = [await temporaryFolder(), await temporaryFolder()]
  const picked = sidecarForms.lightroom({ rating: '5', label: 'Red' })
  const files = {
    '1.jpg': await jpegWithXmp(sidecarForms.exiftool({ rating: '2', label: 'Gelb' }), { seed: 1 }),
    '2.jpg': await jpeg({ seed: 2 }),
    '2.CR3.xmp': sidecarForms.darktable({ rating: '4', label: 'Blue' }),
    '3.jpg': await jpeg({ seed: 3 }),
    '3.xmp': mergeXmp(Buffer.from(picked), { synced: '5 -' }),
    '4.NEF': rawFile('2026:06:20 12:00:01'),
    [`a${escapes}\nOK.jpg`]: 'not a picture at all',
    [`notes${escapes}`]: 'no picture',
    'clip.mp4': 'a video',
  }
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  const tokenFile = join(elsewhere, 'token')
  await writeFile(tokenFile, body.token)
  const args = ['share', folder, '--name', 'Ana & Ben', '--log-progress']
  const throughService = ['--url', service.url]
  for (const { code, stdout, stderr } of [
    await runBeside(service, args),
    await runToEnd([...args, ...throughService], { PROOFROOM_TOKEN_FILE: tokenFile }, { cwd: elsewhere }),
  ]) {
    expect(stdout, stderr).toContain('3 of 4 photos shared.\n  a\\x1b]0;owned\\x07\\x1b[2J\\u202egpj\\x0aOK.jpg: ')
    expect(stdout).toMatch(
      /^Skipped, because the settings do not allow their types: (4\.NEF, )?notes\\x1b\]0;owned[^,]*(, 4\.NEF)?$/m,
    )
    expect(stdout).toContain('4.NEF')
    expect(stdout).toContain('\nSkipped, because this command shares pictures only: clip.mp4. Upload videos in')
    expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u)
    expect(stderr).toMatch(/^[145] of [45] {2}/m)
    expect(code).toBe(1)
    const link = new URL(stdout.trim().split('\n').at(-1) ?? '')
    expect((await service.anonymous.get(link.pathname)).bytes.toString()).toContain('/thumbnail/')
    const { events } = (await api.get(`/api/v1/events?search=${link.pathname.split('/')[2]}`)).body
    const { photos } = (await api.get(`/api/v1/events/${events[0].id}/photos`)).body
    const marks = photos.map((photo: Record<string, unknown>) => [photo.my_rating, photo.my_color_label])
    expect(marks).toEqual([
      [2, 'yellow'],
      [4, 'blue'],
      [null, 'red'],
    ])
  }
})

test('share through a service says what is missing or rejected', { tags: 'nightly' }, async () => {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'one.jpg'), await jpeg())
  const share = ['share', '.', '--name', 'Ana & Ben']
  const PROOFROOM_URL = service.url
  const cases = [
    { args: share, environment: { PROOFROOM_URL }, code: 2, text: 'set PROOFROOM_TOKEN' },
    {
      args: [...share, '--token', `prf_live_${'w'.repeat(43)}`],
      environment: { PROOFROOM_URL },
      code: 1,
      text: 'This token is invalid.',
    },
    { args: [...share, '--url', 'http://127.0.0.1:9', '--token', 'any'], code: 1, text: 'Cannot reach the service' },
    { args: ['import', '.'], environment: { PROOFROOM_URL }, code: 2, text: 'works on DATA_DIR' },
  ]
  for (const { args, environment = {}, code, text } of cases) {
    const stderr = expect.stringContaining(text)
    expect(await runToEnd(args, environment, { cwd }), text).toMatchObject({ code, stderr })
  }
})

test('share adds nothing to an archived event', { tags: 'nightly' }, async () => {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'one.jpg'), await jpeg())
  const { id, slug } = await createEvent(service.api)
  await admin.post(`/api/admin/events/${id}/archive`, {})
  const { body } = await admin.post('/api/admin/api-tokens', { name: 'archived', scopes: ['write'] })
  const args = ['share', cwd, '--event', slug, '--same-name', 'skip']
  const rejected = { code: 1, stderr: expect.stringContaining(`The event ${slug} is archived. Restore it first.`) }
  expect(await runBeside(service, args)).toMatchObject(rejected)
  expect(await runToEnd([...args, '--url', service.url, '--token', body.token], {}, { cwd })).toMatchObject(rejected)
})

test('share, on the data and through a service, adds versions to an event that keeps them, and to no other', {
  tags: 'nightly',
}, async () => {
  const { body } = await admin.post('/api/admin/api-tokens', { name: 'versions', scopes: ['write'] })
  const { id, slug } = await createEvent(api)
  const { body: photo } = await api.upload(id, await jpeg({ seed: 1 }), { name: 'DSC_1.JPG' })
  const loadVersions = async () => (await api.get(`/api/v1/events/${id}/photos/${photo.id}/versions`)).body.versions
  for (const [index, remote] of [[], ['--url', service.url, '--token', body.token]].entries()) {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'dsc_1.jpg'), await jpeg({ seed: 2 + index }))
    const share = () => runBeside(service, ['share', folder, '--event', slug, '--same-name', 'version', ...remote])
    await api.patch(`/api/v1/events/${id}`, { keep_versions: false })
    const stderr = expect.stringContaining(`The event ${slug} does not keep versions.`)
    expect(await share()).toMatchObject({ code: 2, stderr })
    await api.patch(`/api/v1/events/${id}`, { keep_versions: true })
    expect((await share()).stdout).toContain('1 of 1 photo shared.\n1 added as the next version of its photo.\n')
    expect(await loadVersions()).toHaveLength(2 + index)
  }
  const again = await temporaryFolder()
  await writeFile(join(again, 'dsc_1.jpg'), await jpeg({ seed: 1 }))
  const args = ['share', again, '--event', slug, '--same-name', 'version', '--url', service.url, '--token', body.token]
  expect((await runBeside(service, args)).stdout).toContain('0 of 1 photo shared.\n1 left out')
  expect((await loadVersions()).at(-1)).toMatchObject({ number: 3, is_current: true, original_filename: 'dsc_1.jpg' })
})

test('share finishes its work when nobody reads its output any more', { tags: 'nightly' }, async () => {
  const [folder, DATA_DIR] = [await temporaryFolder(), await createCompiledDataDir()]
  await writeFile(join(folder, 'one.jpg'), await jpeg({ seed: 3 }))
  const script = `"${process.execPath}" bin/proofroom.js share "${folder}" --name Ana | true; echo "\${PIPESTATUS[0]}"`
  const env = { DATA_DIR, PATH: process.env.PATH, PORT: '0' }
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], { env })
  expect([stdout, stderr]).toEqual(['0\n', `Creating new data in ${DATA_DIR}.\n`])
})
