import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { must } from '../../../contract/must.ts'
import { buildClientIfStale } from '../../../tools/build-client.ts'
import { runShell, typeCheckScripts, writeScripts } from '../../support/docs/snippets.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { reservePort } from '../../support/run/reserved-port.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { folderForFile } from '../../support/storage/folder-for-file.ts'
import { largeJpeg } from '../../support/uploads/chunked-uploads.ts'
import { receiverPrograms, startReceiverProgram } from '../../support/webhooks/receiver-programs.ts'

/** Runs the scripts of the README of proofroom-client word for word, with the built package. */

const root = join(import.meta.dirname, '../../..')
const typeScriptReceiver = must(receiverPrograms[0], 'the first program')
const service = await serviceForFile({ environment: { WEBHOOK_ALLOW_PRIVATE_URLS: 'true' } })
const { api, url } = service
const folder = await folderForFile()

beforeAll(async () => {
  await buildClientIfStale()
  const packages = join(folder, 'node_modules')
  await mkdir(packages)
  await symlink(join(root, 'clients/typescript'), join(packages, 'proofroom-client'))
  await symlink(join(root, 'node_modules/@types'), join(packages, '@types'))
  await symlink(join(root, 'node_modules/undici-types'), join(packages, 'undici-types'))
  await mkdir(join(folder, 'pictures'))
  for (const seed of [1, 2]) await writeFile(join(folder, `pictures/DSC_000${seed}.jpg`), await jpeg({ seed }))
  await writeScripts('clients/typescript/README.md', folder)
})

const run = async (script: string, values: Record<string, unknown> = {}) => {
  const env = { BASE: url, TOKEN: api.token, ...values }
  const texts = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]))
  return (await runShell(`node ${script}`, { cwd: folder, env: texts })).trim().split('\n')
}

test('the scripts compile with the types of the package', async () => {
  const scripts = (await readdir(folder)).filter((name) => name.endsWith('.mts'))
  expect(scripts.length).toBe(7)
  await typeCheckScripts(scripts.join(' '), folder)
})

test('a folder is shared', async () => {
  const lines = await run('share.mts')
  const names = lines.slice(0, 2).map((line) => line.split(' ')[1])
  expect(names.sort()).toEqual(['DSC_0001.jpg', 'DSC_0002.jpg'])
  expect((await fetch(lines[2] ?? '')).status).toBe(200)
})

test('marked photos are listed', async () => {
  const event = await createEvent(api)
  const [photo] = await uploadPhotos(api, event.id, 2)
  await service.admin.put(`/api/admin/photos/${event.id}/photos/${photo}/mark`, { rating: 4, color_label: 'green' })
  const lines = await run('list.mts', { EVENT: event.id })
  expect(lines[0]).toMatch(/\.jpg 4 green$/)
  expect(lines[1]).toMatch(/^\d+ events$/)
})

test('a large file is uploaded', async () => {
  const event = await createEvent(api)
  const large = await largeJpeg(25_000_000)
  await writeFile(join(folder, 'large.jpg'), large)
  const lines = await run('large.mts', { EVENT: event.id })
  expect(lines.at(-2)).toBe('100 %')
  expect(lines.at(-1)).toMatch(/^\d+ 25000000$/)
  expect(await readdir(folder)).not.toContain('large.session')
  await rm(join(folder, 'large.jpg'))
})

test('originals and a ZIP are downloaded', async () => {
  const event = await createEvent(api)
  const bytes = await jpeg({ seed: 5 })
  const { body } = await api.upload(event.id, bytes, { name: 'DSC_0005.jpg' })
  expect(await run('download.mts', { EVENT: event.id })).toEqual([`DSC_0005.jpg ${bytes.length}`])
  expect(await readFile(join(folder, `original-${body.id}.jpg`))).toEqual(bytes)
  expect((await readFile(join(folder, 'all.zip'))).indexOf(bytes)).toBeGreaterThan(0)
})

test('an error says what is wrong', async () => {
  const lines = await run('errors.mts')
  expect(lines[0]).toBe('400 VALIDATION_ERROR')
  expect(lines[1]).toMatch(/^expiration_days \S/)
  expect(lines.at(-1)).toBe('Include this when you ask for help')
})

test('a receiver accepts genuine messages and no others', async () => {
  const port = await reservePort()
  const target = `http://127.0.0.1:${port}/`
  const webhook = { name: 'README', url: target, events: ['photo.uploaded'] }
  const { secret } = (await service.admin.post('/api/admin/webhooks', webhook)).body
  const program = { ...typeScriptReceiver, args: () => ['receiver.mts'] }
  const output = await startReceiverProgram(program, { cwd: folder, port, secret })
  expect((await fetch(target, { method: 'POST', body: '{}' })).status).toBe(401)
  const event = await createEvent(api)
  await api.upload(event.id, await jpeg({ seed: 6 }), { name: 'DSC_0006.jpg' })
  await expect.poll(output).toBe('DSC_0006.jpg\n')
})

test('a guest picks photos', async () => {
  const event = await createEvent(api)
  await uploadPhotos(api, event.id, 2)
  expect(await run('guest.mts', { LINK: event.share_url })).toEqual(['Selection 1 with 2 photos'])
})
