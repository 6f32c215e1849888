import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { createEvent } from '../../support/fixtures/events.ts'
import { jpeg, picture } from '../../support/media/pictures.ts'
import { requireOrSkip, requireProgram } from '../../support/run/requirements.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { adminPassword, serviceForFile } from '../../support/service/test-service.ts'

const root = join(import.meta.dirname, '../../..')
const service = await serviceForFile({ environment: { WEBHOOK_ALLOW_PRIVATE_URLS: 'true' } })
const { admin, api, url } = service

type Result = { code: number; stdout: string; stderr: string }
const run = (program: string, args: string[], env: Record<string, string>): Promise<Result> =>
  promisify(execFile)(program, args, { env: { PATH: process.env.PATH, ...env }, timeout: 60_000 }).then(
    (output) => ({ code: 0, ...output }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )

describe('the Python script', () => {
  const credentials = { BASE: url, TOKEN: api.token ?? '', NAME: 'admin', PASSWORD: adminPassword }
  const script = join(root, 'samples/python/one_call_of_each.py')
  const listLeft = async () => [
    (await api.get('/api/v1/events')).body.events,
    (await api.get('/api/v1/customers')).body.customers,
    (await api.get('/api/v1/webhooks')).body,
  ]

  test('makes a call of each part of the API, verifies a delivery and leaves nothing', async ({ skip }) => {
    requireOrSkip(skip, [requireProgram('python3')])
    const file = join(await temporaryFolder(), 'DSC_0001.jpg')
    await writeFile(file, await jpeg())
    const environment = { ...credentials, RECEIVER_HOST: '127.0.0.1' }
    const { code, stdout, stderr } = await run('python3', [script, file], environment)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.trim().split('\n')).toEqual([
      'public API: admin',
      'chunked upload: DSC_0001.jpg',
      'gallery API, photos: 1',
      'customer API, galleries: One call of each',
      'admin API, guests: 0',
      'webhook: photo.uploaded',
    ])
    expect(await listLeft()).toEqual([[], [], []])
  })

  test('ends with the code of the problem if a call is refused, and leaves nothing', async ({ skip }) => {
    requireOrSkip(skip, [requireProgram('python3')])
    const file = join(await temporaryFolder(), 'DSC_0001.jpg')
    await writeFile(file, 'not a photo')
    const { code, stderr } = await run('python3', [script, file], credentials)
    expect(code).toBe(1)
    expect(stderr).toContain('Refused: 415 ')
    expect(await listLeft()).toEqual([[], [], []])
  })
})

describe('the WordPress plug-in', () => {
  const command = [
    join(root, 'tests/support/clients/wordpress.php'),
    join(root, 'samples/wordpress/proofroom-import.php'),
  ]
  const importInto = (library: string, args: string[], token = api.token ?? '') =>
    run('php', [...command, ...args], { LIBRARY: library, PROOFROOM_URL: url, PROOFROOM_TOKEN: token })
  const listFiles = async (library: string) => (await readdir(library)).filter((name) => name !== 'library.json').sort()

  test('imports the visible photos once, and again those with another file', async ({ skip }) => {
    requireOrSkip(skip, [requireProgram('php')])
    const library = await temporaryFolder()
    const event = await createEvent(api)
    const first = await api.upload(event.id, await jpeg({ width: 2000, height: 100 }), { name: 'Ana & Ben.jpeg' })
    const second = await api.upload(event.id, await picture('png'), { name: 'b.png' })
    const hidden = await api.upload(event.id, await jpeg({ seed: 3 }), { name: 'c.jpg' })
    await admin.patch(`/api/admin/photos/${event.id}/photos/${hidden.body.id}`, { visibility: 'hidden' })

    const args = [String(event.id), '--size=640', '--post=12']
    const imported = { code: 0, stdout: 'Success: 2 imported, 0 skipped, 0 failed\n' }
    expect(await importInto(library, args)).toMatchObject(imported)
    expect(await listFiles(library)).toEqual(['1-Ana-Ben.jpg', '2-b.jpg'])
    expect(JSON.parse(await readFile(join(library, 'library.json'), 'utf8'))).toMatchObject([
      { title: 'Ana & Ben', post: 12, meta: { _proofroom_source: `${first.body.id}/640/${first.body.content_hash}` } },
      { title: 'b', post: 12 },
    ])
    expect(await sharp(join(library, '1-Ana-Ben.jpg')).metadata()).toMatchObject({ format: 'jpeg', width: 640 })

    expect((await importInto(library, args)).stdout).toBe('Success: 0 imported, 2 skipped, 0 failed\n')
    const fields = { replaces_photo_id: second.body.id }
    await api.upload(event.id, await jpeg({ seed: 9 }), { name: 'd.jpg', fields })
    expect((await importInto(library, args)).stdout).toBe('Success: 1 imported, 1 skipped, 0 failed\n')
  })

  test('imports originals byte for byte, all pages of them, and tells what WordPress refuses', async ({ skip }) => {
    requireOrSkip(skip, [requireProgram('php')])
    const library = await temporaryFolder()
    const event = await createEvent(api)
    const original = await picture('png')
    for (let index = 0; index < 101; index++) await api.upload(event.id, original, { name: `${index}.png` })
    await api.upload(event.id, await picture('webp'), { name: 'last.webp' })

    const { code, stdout } = await importInto(library, [String(event.id), '--size=original'])
    expect([code, stdout.split('\n')]).toEqual([
      1,
      [expect.stringMatching(/^Warning: last\.webp: Sorry/), 'Error: 101 imported, 0 skipped, 1 failed', ''],
    ])
    expect(await listFiles(library)).toHaveLength(101)
    expect(await readFile(join(library, '101-100.png'))).toEqual(original)
  })

  test('ends with a reason for a wrong call, token or event', async ({ skip }) => {
    requireOrSkip(skip, [requireProgram('php')])
    const library = await temporaryFolder()
    const failing = (stdout: RegExp) => ({ code: 1, stdout: expect.stringMatching(stdout) })
    expect(await importInto(library, ['x'])).toMatchObject(failing(/^Error: Usage: wp /))
    expect(await importInto(library, ['1', '--size=9'])).toMatchObject({ code: 1 })
    expect(await importInto(library, ['1'], 'prf_live_no')).toMatchObject(failing(/^Error: .*token/i))
    expect(await importInto(library, ['987654'])).toMatchObject(failing(/^Error: /))
    expect(await listFiles(library)).toEqual([])
  })
})
