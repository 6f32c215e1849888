import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { createEmptyPostgresDatabase } from '../support/database/empty-postgres.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { type ServiceProcess, startByNode } from '../support/service/service-process.ts'

const environment = { ADMIN_PASSWORD: 'correct-horse-battery', LOG_LEVEL: 'error' }

async function start(options: Parameters<typeof startByNode>[0]): Promise<ServiceProcess> {
  const service = await startByNode(options)
  onTestFinished(() => service.end('SIGKILL'))
  return service
}

const run = (args: string[], variables: Record<string, string>) =>
  promisify(execFile)(process.execPath, ['bin/proofroom.js', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: { PATH: process.env.PATH, ...variables },
  })

const migrate = (dataDir: string, url: string) => run(['migrate-database', '--to', url], { DATA_DIR: dataDir })

test('a service moves from SQLite to PostgreSQL with everything, its sessions and secrets included', async () => {
  const [dataDir, url] = [await temporaryFolder(), await createEmptyPostgresDatabase()]
  const before = await start({ dataDir, environment })
  const signIn = { username: 'admin', password: environment.ADMIN_PASSWORD }
  const { body: session } = await createClient(before.url).post('/api/auth/admin/login', signIn)
  const admin = createClient(before.url, session.token)
  const token = await admin.post('/api/admin/api-tokens', { name: 'test', scopes: ['admin'] })
  const api = createClient(before.url, token.body.token)
  const event = await createEvent(api)
  const ids = await uploadPhotos(api, event.id, 3)
  const photos = await api.get(`/api/v1/events/${event.id}/photos`)
  await expect(migrate(dataDir, url)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('stop the service'),
  })
  await before.end('SIGTERM')

  // A new instance on the empty database would make the move impossible.
  const early = { DATA_DIR: dataDir, DATABASE_URL: url, PORT: '0' }
  await expect(run(['serve'], early)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Move them') })
  await expect(run(['doctor'], early)).rejects.toMatchObject({ stdout: expect.stringContaining('Error    Database') })

  const { stdout } = await migrate(dataDir, url)
  expect(stdout).toMatch(/^Copied and verified \d+ rows of \d+ tables\.$/m)
  expect(stdout).not.toContain('password')
  await expect(migrate(dataDir, url)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already contains tables'),
  })

  // What is added to the old file now would be lost.
  await expect(run(['serve'], { DATA_DIR: dataDir, PORT: '0' })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('were moved to PostgreSQL'),
  })

  const after = await start({ dataDir, environment: { ...environment, DATABASE_URL: url } })
  const moved = createClient(after.url, token.body.token)
  const listed = await moved.get(`/api/v1/events/${event.id}/photos`)
  expect(listed.status).toBe(200)
  expect(JSON.stringify(listed.body)).toBe(JSON.stringify(photos.body).replaceAll(before.url, after.url))
  expect((await createClient(after.url, session.token).get('/api/admin/events')).status).toBe(200)
  const [next = 0] = await uploadPhotos(moved, event.id, 1)
  expect(next).toBe(Math.max(...ids) + 1)
})
