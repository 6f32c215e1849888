import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { detectIsolation } from '../../server/platform/media/video/isolation.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { noisyPicture } from '../support/media/image-files.ts'
import { jpeg } from '../support/media/pictures.ts'
import { allowVideos, clip, createGatedFfmpeg, uploadVideo, waitUntilProcessed } from '../support/media/videos.ts'
import { linux, requireOrSkip } from '../support/run/requirements.ts'
import { startKillableService } from '../support/service/killable-service.ts'
import { adminPassword } from '../support/service/test-service.ts'

/** Reads from `/proc`. Returns the default if the process has ended. */
function readProcess<T>(read: () => T, whenEnded: T): T {
  try {
    return read()
  } catch {
    return whenEnded
  }
}
const readText = (pid: number, name: string): string =>
  readProcess(() => readFileSync(`/proc/${pid}/${name}`, 'utf8'), '')
const listChildren = (pid: number): number[] =>
  readText(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number)
const listDescendants = (pid: number): number[] => listChildren(pid).flatMap((one) => [one, ...listDescendants(one)])
const listOpenFiles = (pid: number): string[] =>
  readProcess(() => readdirSync(`/proc/${pid}/fd`), []).map((fd) =>
    readProcess(() => readlinkSync(`/proc/${pid}/fd/${fd}`), ''),
  )

test('a worker killed with SIGSEGV fails only its photo, with a clear error', { tags: 'nightly' }, async ({ skip }) => {
  requireOrSkip(skip, [linux])
  const service = await startKillableService()
  const api = service.api()
  const event = await createEvent(api)
  const large = await noisyPicture(6000, 4000).jpeg().toBuffer()
  const uploads = [1, 2, 3].map(() => api.upload(event.id, Buffer.from(large)))
  const isReading = (pid: number) => listOpenFiles(pid).some((path) => path.includes('/staging/'))
  const killReading = () => {
    const victim = listChildren(service.process().pid).find(isReading)
    return victim !== undefined && process.kill(victim, 'SIGSEGV')
  }
  await expect.poll(killReading, { interval: 5 }).toBe(true)

  const responses = await Promise.all(uploads)
  const rejected = responses.filter(({ status }) => status !== 201)
  // No photo fails if the worker had just finished its job.
  expect(rejected.length).toBeLessThanOrEqual(1)
  for (const { status, body } of rejected) expect([status, body.code]).toEqual([422, 'UNREADABLE_IMAGE'])
  expect((await api.upload(event.id, await jpeg())).status).toBe(201)
  const { body } = await api.get(`/api/v1/events/${event.id}`)
  expect(body.photo_count).toBe(responses.length - rejected.length + 1)
})

test('no child of the service gets a secret or any other variable that it does not need', async ({ skip }) => {
  requireOrSkip(skip, [linux])
  const secret = 'a secret that no child may have, 0123456789'
  const gate = await createGatedFfmpeg()
  const secrets = { JWT_SECRET: secret, ENCRYPTION_KEY: secret, BACKUP_PASSPHRASE: secret }
  const service = await startKillableService({ ...secrets, FFMPEG_PATH: gate.path })
  const [api, admin, { pid }] = [service.api(), service.admin(), service.process()]
  await allowVideos({ admin })
  const event = await createEvent(api)
  const video = await uploadVideo(admin, event.id, await clip('film.avi'), { name: 'film.avi' })
  expect((await api.upload(event.id, await jpeg())).status).toBe(201)
  /** The environments of all children so far, by command. An idle image worker may end before ffmpeg starts. */
  const seen = new Map<string, string>()
  const own = readText(pid, 'cmdline')
  const findMissing = () => {
    for (const child of listDescendants(pid)) {
      const command = readText(child, 'cmdline')
      const environment = readText(child, 'environ')
      // Until a child has loaded its program, it still has the command and the environment of the service.
      if (environment !== '' && command !== own) seen.set(command, environment)
    }
    return ['image-worker', 'ffmpeg'].filter((name) => ![...seen.keys()].join().includes(name))
  }
  await expect.poll(findMissing, { interval: 20 }).toEqual([])
  const variables = [...seen.values()].flatMap((environment) => environment.split('\0').filter(Boolean))
  expect(variables.join('\n')).not.toMatch(`${secret}|${adminPassword}`)
  // Shells set PWD, SHLVL and _.
  const allowed =
    /^(PATH|MALLOC_\w+|GLIBC_TUNABLES|UV_THREADPOOL_SIZE|NODE_COMPILE_CACHE|FONTCONFIG_FILE|PWD|OLDPWD|SHLVL|_|NODE_CHANNEL_\w+)=/
  expect(variables.filter((variable) => !allowed.test(variable))).toEqual([])
  await gate.open()
  const processed = { processing_status: 'ready', processing_error: null }
  expect(await waitUntilProcessed(api, event.id, video)).toMatchObject(processed)
  // The built service uses the sandbox where its sources do.
  const { items } = (await admin.get('/api/admin/health')).body
  const { facts } = items.find(({ key }: { key: string }) => key === 'decoders')
  expect(facts).toMatchObject({ isolation: await detectIsolation() })
})
