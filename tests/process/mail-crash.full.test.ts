import { expect, test } from 'vitest'
import { changeDatabase } from '../support/database/service-database.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { mailServerForTest } from '../support/network/mail-server.ts'
import { startKillableService } from '../support/service/killable-service.ts'

const count = 12

test('kill -9 between response and sending: every mail is sent once after the next start', async () => {
  let isHanging = true
  const mailServer = await mailServerForTest({
    onRcptTo(_address, _session, done) {
      if (!isHanging) done()
    },
  })
  const { received } = mailServer
  const service = await startKillableService({ SMTP_URL: mailServer.url })
  const addresses = Array.from({ length: count }, (_, index) => `customer-${index}@example.com`)
  await Promise.all(
    addresses.map((customer_email) =>
      createEvent(service.api(), { customer_email, require_password: true, password: `secret of ${customer_email}` }),
    ),
  )
  await service.kill()
  expect(received).toEqual([])

  isHanging = false
  await service.restart()
  // Mails that the killed process had not claimed are sent at once. The others are sent when their claim of 80
  // seconds expires.
  await expect.poll(() => received.length).toBeGreaterThanOrEqual(count - 4)
  expect(received.length).toBeLessThan(count)
  await changeDatabase(service.stored, (database) =>
    database.exec("update mails set next_attempt_at = next_attempt_at - 80000 where status = 'queued'"),
  )
  await expect.poll(() => received.length).toBe(count)
  expect(received.flatMap(({ recipients }) => recipients).sort()).toEqual(addresses.sort())
  for (const { text, recipients } of received) expect(text).toContain(`Password: secret of ${recipients}\n`)
  await service.process().end('SIGTERM')
  expect(received).toHaveLength(count)
})
