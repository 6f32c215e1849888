import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { createEvent, enterAsGuest } from '../../support/fixtures/events.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { largeJpeg } from '../../support/uploads/chunked-uploads.ts'
import { chunkBytes, computeTreeHash } from '../../support/uploads/chunked-versions.ts'

const service = await serviceForFile()
const sizeBytes = 300 * 1024 * 1024
const client = pathToFileURL(join(import.meta.dirname, '../../../clients/typescript/source/index.ts'))

/** Prints the progress in percent, and at the end the id of the photo. */
const program = `
import { openAsBlob } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createGallery } from '${client}'
const { BASE, SESSION, SLUG } = process.env
const photo = await createGallery({ baseUrl: BASE, session: SESSION }).upload(SLUG, await openAsBlob('large.jpg'), {
  name: 'large.jpg',
  resume: await readFile('session', 'utf8').catch(() => undefined),
  onSession: (id) => writeFile('session', id),
  onProgress: ({ sentBytes, totalBytes }) => console.log(Math.floor((sentBytes / totalBytes) * 100)),
})
console.log(photo.id)
`

test('an upload of 300 MB whose program is killed in the middle resumes there', { timeout: 300_000 }, async () => {
  await service.admin.put('/api/admin/settings', { general_max_file_size_mb: 400 })
  const event = await createEvent(service.api, { allow_user_uploads: true, upload_category_id: 1 })
  const guest = await enterAsGuest(service, event)
  const folder = await temporaryFolder()
  const file = await largeJpeg(sizeBytes)
  await writeFile(join(folder, 'large.jpg'), file)
  await writeFile(join(folder, 'upload.mts'), program)
  const env = { ...process.env, BASE: service.url, SESSION: guest.token ?? '', SLUG: event.slug }

  /** Runs the program, and kills it when it has sent this much. Returns what it has printed. */
  async function run(killAtPercent = Number.POSITIVE_INFINITY): Promise<number[]> {
    const child = spawn(process.execPath, ['upload.mts'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
      if (Number(output.trim().split('\n').at(-1)) >= killAtPercent) child.kill('SIGKILL')
    })
    await once(child, 'exit')
    return output.trim().split('\n').map(Number)
  }

  const killed = await run(40)
  expect([killed[0], (killed.at(-1) ?? 0) >= 40, (killed.at(-1) ?? 100) < 100]).toEqual([0, true, true])
  const resumed = await run()
  expect(resumed[0]).toBeGreaterThanOrEqual(40)
  expect(resumed.at(-2)).toBe(100)
  // Every chunk was sent once, except those that were on their way.
  expect(killed.length + resumed.length).toBeLessThanOrEqual(sizeBytes / chunkBytes + 6)
  const { body } = await service.api.get(`/api/v1/events/${event.id}/photos/${resumed.at(-1)}`)
  expect(body).toMatchObject({ size_bytes: sizeBytes, content_hash: computeTreeHash(file) })
  await rm(join(folder, 'large.jpg'))
})
