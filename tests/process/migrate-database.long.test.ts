import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { createEmptyPostgresDatabase } from '../support/database/empty-postgres.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { signInAt } from '../support/service/killable-service.ts'
import { runToEnd } from '../support/service/proofroom-command.ts'
import { startByNode } from '../support/service/service-process.ts'
import { adminPassword } from '../support/service/test-service.ts'

const failing = (stderr: string) => ({ code: 1, stderr: expect.stringContaining(stderr) })

test('a service moves from SQLite to PostgreSQL with everything, its sessions and secrets included', async () => {
  const [dataDir, DATABASE_URL] = [await temporaryFolder(), await createEmptyPostgresDatabase()]
  const start = async (environment = {}) => {
    const variables = { ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'error', ...environment }
    const service = await startByNode({ dataDir, environment: variables })
    onTestFinished(() => service.end('SIGKILL'))
    return service
  }
  const migrate = () => runToEnd(['migrate-database', '--to', DATABASE_URL], { DATA_DIR: dataDir })
  const before = await start()
  const { admin, api } = await signInAt(before.url)
  const event = await createEvent(api)
  const ids = await uploadPhotos(api, event.id, 3)
  const path = `/api/v1/events/${event.id}/photos`
  const photos = await api.get(path)
  expect(await migrate()).toMatchObject(failing('stop the service'))
  await before.end('SIGTERM')

  // A new instance on the empty database would make the move impossible.
  const early = { DATA_DIR: dataDir, DATABASE_URL, PORT: '0' }
  expect(await runToEnd(['serve'], early)).toMatchObject(failing('Move them'))
  expect((await runToEnd(['doctor'], early)).stdout).toContain('Error    Database')

  const { code, stdout } = await migrate()
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Copied and verified \d+ rows of \d+ tables\.$/m)])
  expect(stdout).not.toContain('password')
  expect(await migrate()).toMatchObject(failing('already contains tables'))
  // Rows that are added to the old file now would be lost.
  const old = await runToEnd(['serve'], { DATA_DIR: dataDir, PORT: '0' })
  expect(old).toMatchObject(failing('were moved to PostgreSQL'))

  const after = await start({ DATABASE_URL })
  const moved = createClient(after.url, api.token)
  const listed = await moved.get(path)
  expect(listed.status).toBe(200)
  expect(JSON.stringify(listed.body)).toBe(JSON.stringify(photos.body).replaceAll(before.url, after.url))
  expect((await createClient(after.url, admin.token).get('/api/admin/events')).status).toBe(200)
  const [next = 0] = await uploadPhotos(moved, event.id, 1)
  expect(next).toBe(Math.max(...ids) + 1)
})
