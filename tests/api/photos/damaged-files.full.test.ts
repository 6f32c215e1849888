import { afterAll, beforeAll, expect, type TestOptions, test } from 'vitest'
import type { TestClient } from '../../support/clients/test-client.ts'
import { createEvent, enterAsGuest, type TestEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { listStoredFiles, openStoredFile, type StoredFile } from '../../support/storage/stored-files.ts'

const service = await serviceForFile()
const { api } = service
const rejections: unknown[] = []
const recordRejection = (reason: unknown) => rejections.push(reason)
process.on('unhandledRejection', recordRejection)
afterAll(() => void process.off('unhandledRejection', recordRejection))

let event: TestEvent
let guest: TestClient
let ids: number[]
beforeAll(async () => {
  event = await createEvent(api, { watermark_downloads: true, watermark_text: 'Proof' })
  ids = await uploadPhotos(api, event.id, 2)
  guest = await enterAsGuest(service, event)
  for (const path of paths()) expect((await guest.get(path)).status).toBe(200)
})

const routes = ['thumbnail/%', 'photo/%', 'photo/%?w=640', 'download/%']
const paths = (): string[] =>
  ids.flatMap((id) => routes.map((route) => `/api/gallery/${event.slug}/${route.replace('%', String(id))}`))

async function requestAll(): Promise<string[]> {
  const calls = paths().flatMap((path) => [
    guest.get(path),
    guest.get(path, { range: 'bytes=0-9' }),
    guest.get(path, { accept: 'image/webp' }),
    guest.head(path),
  ])
  return (await Promise.all(calls)).map(({ status, body }) => (body?.code ? `${status} ${body.code}` : String(status)))
}

// Tests in a container often run as root, which access rights do not stop. A folder in place of the file is always
// unreadable.
const damages: Array<[string, TestOptions, (file: StoredFile) => Promise<unknown>]> = [
  ['deleted', {}, (file) => file.remove()],
  ['cut short', {}, (file) => file.resize(5)],
  ['emptied', { tags: 'nightly' }, (file) => file.resize(0)],
  ['locked', { tags: 'nightly' }, (file) => file.lock()],
  ['replaced by a folder', { tags: 'nightly' }, (file) => file.replaceWithFolder()],
]

for (const [how, options, damage] of damages) {
  const name = `each stored file ${how} under load gives only expected responses, and the service keeps running`
  test(name, options, async () => {
    const files = (await listStoredFiles(service)).filter((file) => file.startsWith(`files/events/${event.id}/`))
    expect(files.length).toBeGreaterThanOrEqual(ids.length * 4)
    for (const name of files) {
      const isOriginal = name.includes('/originals/')
      const file = openStoredFile(service, name)
      const kept = await file.read()
      const before = requestAll()
      await damage(file)
      const answers = [...(await before), ...(await requestAll())]
      const allowed = ['200', '206', ...(isOriginal ? ['404', '404 PHOTO_FILE_MISSING'] : [])]
      expect(answers.filter((answer) => !allowed.includes(answer))).toEqual([])
      if (isOriginal) {
        await file.remove()
        await file.write(kept)
      }
      expect((await guest.get('/health')).status).toBe(200)
    }
    expect(new Set(await requestAll())).toEqual(new Set(['200', '206']))
    expect(rejections).toEqual([])
  })
}
