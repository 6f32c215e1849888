import { expect, test } from 'vitest'
import { credentialPurpose } from '../../../server/platform/mail/mail-rows.ts'
import { createEncryption } from '../../../server/platform/security/encryption.ts'
import { secretPurpose } from '../../../server/webhooks/webhook-rows.ts'
import { changeDatabase, readDatabase } from '../../support/database/service-database.ts'
import { createEvent } from '../../support/fixtures/events.ts'
import { createAccountWithFactor } from '../../support/fixtures/second-factor.ts'
import { mailServerForFile, smtpError } from '../../support/network/mail-server.ts'
import { runProofroom } from '../../support/service/proofroom-command.ts'
import { serviceForFile } from '../../support/service/test-service.ts'
import { createTestWebhook } from '../../support/webhooks/webhooks.ts'

const [oldKey, newKey] = ['o'.repeat(40), 'n'.repeat(40)]

/** Rejects every mail temporarily, so that the credentials stay stored. */
const mailServer = await mailServerForFile({ onRcptTo: (_address, _session, done) => done(smtpError(451, 'later')) })
const service = await serviceForFile({
  environment: { ENCRYPTION_KEY: oldKey, SMTP_URL: mailServer.url, MAIL_FROM: 'studio@example.com' },
})
const columns = { webhooks: 'secret', second_factors: 'sealed_secret', mails: 'credential' }

const encryptedIn = (table: keyof typeof columns): Array<{ key: number; encrypted: string }> =>
  readDatabase(service, (stored) =>
    stored
      .prepare(`select ${table === 'second_factors' ? 'user_id' : 'id'} as key, ${columns[table]} as encrypted
        from ${table} where ${columns[table]} is not null order by 1`)
      .all(),
  ) as never

const rotate = (environment: Record<string, string>) => runProofroom(service, ['rotate-key'], environment)

test('rotate-key encrypts everything with the current key, and can run again', async () => {
  const subscriptions = [await createTestWebhook(service), await createTestWebhook(service)]
  const { secret } = await createAccountWithFactor(service, Date.now())
  const guests = { customer_name: 'Ana', customer_email: 'ana@example.com', password: 'orchid-4711' }
  await createEvent(service.api, { ...guests, require_password: true })
  const before = Object.keys(columns).map((table) => encryptedIn(table as keyof typeof columns).length)
  expect(before).toEqual([2, 1, 1])
  const server = { host: '127.0.0.1', port: 25, security: 'none', user_name: 'ana', password: 'harbor-lights-91' }
  const encrypted = createEncryption(oldKey).encrypt(server.password, 'mail server password')
  const inserted = 'id, host, port, security, user_name, sealed_password, updated_at'
  await changeDatabase(service, (stored) =>
    stored
      .prepare(`insert into mail_server (${inserted}) values (1, ?, ?, ?, ?, ?, 0)`)
      .run(server.host, server.port, server.security, server.user_name, encrypted),
  )

  const keys = { ENCRYPTION_KEY: newKey, ENCRYPTION_KEY_OLD: oldKey }
  const { stdout } = await rotate(keys)
  for (const what of ['2 webhook secrets', '1 gallery password', '1 mail server password']) {
    expect(stdout).toContain(`${what} re-encrypted.`)
  }
  expect(stdout).toContain('ENCRYPTION_KEY_OLD is no longer needed')

  const { decrypt } = createEncryption(newKey)
  expect(encryptedIn('webhooks').map(({ encrypted }) => decrypt(encrypted, secretPurpose))).toEqual(
    subscriptions.map((hook) => hook.secret),
  )
  const [mailPassword] = readDatabase(service, (stored) =>
    stored.prepare('select sealed_password from mail_server').pluck().all(),
  ) as [string]
  expect(decrypt(mailPassword, 'mail server password')).toBe(server.password)
  const [factor] = encryptedIn('second_factors')
  expect(decrypt(factor?.encrypted ?? '', `second factor ${factor?.key}`)).toBe(secret)
  expect(encryptedIn('mails').map(({ encrypted }) => decrypt(encrypted, credentialPurpose))).toEqual([guests.password])

  const after = encryptedIn('webhooks')
  expect((await rotate({ ENCRYPTION_KEY: newKey })).stdout).toContain('0 webhook secrets re-encrypted.')
  expect(encryptedIn('webhooks')).toEqual(after)
})

test('a value that neither key decrypts is reported and kept, and all others are rotated', async () => {
  const hook = await createTestWebhook(service)
  const lost = createEncryption('l'.repeat(40)).encrypt('gone', secretPurpose)
  await changeDatabase(service, (stored) =>
    stored.prepare('update webhooks set secret = ? where id = ?').run(lost, hook.id),
  )
  const later = await createTestWebhook(service)
  const { body: health } = await service.admin.get('/api/admin/health')
  const reported = health.items.find(({ key }: { key: string }) => key === 'secrets')
  expect([reported.status, reported.text]).toEqual([
    'fail',
    expect.stringMatching(/can't be read: \d+ webhook secrets/),
  ])
  await expect(rotate({ ENCRYPTION_KEY: newKey, ENCRYPTION_KEY_OLD: oldKey })).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1 webhook secret re-encrypted.'),
    stderr: expect.stringContaining(`Neither key decrypts 1 webhook secret: ${hook.id}`),
  })
  expect(encryptedIn('webhooks').find(({ key }) => key === hook.id)?.encrypted).toBe(lost)
  const reencrypted = encryptedIn('webhooks').find(({ key }) => key === later.id)?.encrypted ?? ''
  expect(createEncryption(newKey).decrypt(reencrypted, secretPurpose)).toBe(later.secret)
})
