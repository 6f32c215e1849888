import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { mergeXmp } from '../../server/platform/xmp/merge-xmp.ts'
import { jpeg, jpegWithXmp } from '../support/media/pictures.ts'
import { sidecarForms } from '../support/media/sidecar-forms.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { createCompiledDataDir, runProofroom } from '../support/service/proofroom-command.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()

describe('proofroom share', () => {
  test('prints the link of an event that shows the pictures of the folder', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'one.jpg'), await jpeg({ seed: 1 }))
    await writeFile(join(folder, 'notes.txt'), 'no picture')
    const { stdout } = await runProofroom(service, ['share', folder, '--name', 'Ana & Ben'])
    expect(stdout).toContain('1 of 1 photos shared.')
    expect(stdout).toContain('Skipped files: notes.txt')
    const [, path = ''] = /(\/gallery\/\S+)/.exec(stdout) ?? []
    expect((await service.anonymous.get(path)).bytes.toString()).toContain('/thumbnail/')
  })

  test('takes over stars and colors of files and sidecars, here and through a service', async () => {
    const { admin, api } = service
    await admin.put('/api/admin/settings', { general_read_culling_marks: true })
    const { body } = await admin.post('/api/admin/api-tokens', { name: 'share', scopes: ['write'] })
    const folder = await temporaryFolder()
    const picked = sidecarForms.lightroom({ rating: '5', label: 'Red' })
    const files = {
      '1.jpg': await jpegWithXmp(sidecarForms.exiftool({ rating: '2', label: 'Gelb' }), { seed: 1 }),
      '2.jpg': await jpeg({ seed: 2 }),
      '2.CR3.xmp': sidecarForms.darktable({ rating: '4', label: 'Blue' }),
      '3.jpg': await jpeg({ seed: 3 }),
      '3.xmp': mergeXmp(Buffer.from(picked), { synced: '5 -' }),
    }
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
    for (const options of [[], ['--url', service.url, '--token', body.token]]) {
      const { stdout } = await runProofroom(service, ['share', folder, '--name', 'Ana & Ben', ...options])
      expect(stdout).toContain('3 of 3 photos shared.')
      expect(stdout).not.toContain('Skipped')
      const [, slug = ''] = /\/gallery\/([^/\s]+)/.exec(stdout) ?? []
      const { events } = (await api.get(`/api/v1/events?search=${slug}`)).body
      const photos = (await api.get(`/api/v1/events/${events[0].id}/photos`)).body.photos
      const marks = photos.map((photo: Record<string, unknown>) => [photo.my_rating, photo.my_color_label])
      expect(marks).toEqual([
        [2, 'yellow'],
        [4, 'blue'],
        [null, 'red'],
      ])
    }
  })

  test('names rejected files and fails', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'good.jpg'), await jpeg({ seed: 2 }))
    await writeFile(join(folder, 'broken.jpg'), 'not a picture at all')
    const failed = await runProofroom(service, ['share', folder, '--name', 'Ana & Ben']).catch((error) => error)
    expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('1 of 2 photos shared.\n  broken.jpg: ')])
  })

  test('finishes its work when nobody reads its output any more', async () => {
    const [folder, DATA_DIR] = [await temporaryFolder(), await createCompiledDataDir()]
    await writeFile(join(folder, 'one.jpg'), await jpeg({ seed: 3 }))
    const script = `"${process.execPath}" bin/proofroom.js share "${folder}" --name Ana | true; echo "\${PIPESTATUS[0]}"`
    const env = { DATA_DIR, PATH: process.env.PATH, PORT: '0' }
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], { env })
    expect([stdout, stderr]).toEqual(['0\n', `Creating new data in ${DATA_DIR}.\n`])
  })
})

test('an unknown command is reported', async () => {
  const failed = await runProofroom(service, ['shaer', 'folder']).catch((error) => error)
  expect([failed.code, failed.stderr]).toEqual([2, 'Unknown command "shaer". See proofroom --help.\n'])
})
