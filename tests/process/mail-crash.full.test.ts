import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient, type TestClient } from '../support/clients/test-client.ts'
import { changeDatabase } from '../support/database/service-database.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { mailServerForTest } from '../support/network/mail-server.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { type ServiceProcess, startByNode } from '../support/service/service-process.ts'
import { adminPassword, type TestService } from '../support/service/test-service.ts'

const count = 12

test('kill -9 between response and sending: every mail is sent once after the next start', async () => {
  let isHanging = true
  const mailServer = await mailServerForTest({
    onRcptTo(_address, _session, done) {
      if (!isHanging) done()
    },
  })
  const dataDir = join(await temporaryFolder(), 'data')
  const environment = { ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'warn', SMTP_URL: mailServer.url }

  const first = await startByNode({ dataDir, environment })
  const api = await signedIn(first)
  const addresses = Array.from({ length: count }, (_, index) => `customer-${index}@example.com`)
  await Promise.all(
    addresses.map((customer_email) =>
      createEvent(api, { customer_email, require_password: true, password: `secret of ${customer_email}` }),
    ),
  )
  await first.end('SIGKILL')
  expect(mailServer.received).toEqual([])

  isHanging = false
  const second = await startByNode({ dataDir, environment })
  try {
    // Mails that the killed process had not claimed are sent at once. The others are sent when their claim of 80
    // seconds expires.
    await expect.poll(() => mailServer.received.length).toBeGreaterThanOrEqual(count - 4)
    expect(mailServer.received.length).toBeLessThan(count)
    const stored = { dataDir } as TestService
    await changeDatabase(stored, (database) =>
      database.exec("update mails set next_attempt_at = next_attempt_at - 80000 where status = 'queued'"),
    )
    await expect.poll(() => mailServer.received.length).toBe(count)
    expect(mailServer.received.flatMap(({ recipients }) => recipients).sort()).toEqual(addresses.sort())
    for (const { text, recipients } of mailServer.received)
      expect(text).toContain(`Password: secret of ${recipients}\n`)
  } finally {
    await second.end('SIGTERM')
  }
  expect(mailServer.received).toHaveLength(count)
})

async function signedIn({ url }: ServiceProcess): Promise<TestClient> {
  const { body } = await createClient(url).post('/api/auth/admin/login', { username: 'admin', password: adminPassword })
  const created = await createClient(url, body.token).post('/api/admin/api-tokens', { name: 'test', scopes: ['write'] })
  return createClient(url, created.body.token)
}
