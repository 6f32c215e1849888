import { execFile } from 'node:child_process'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { startByNode } from '../support/service/service-process.ts'
import { adminPassword } from '../support/service/test-service.ts'

const root = join(import.meta.dirname, '../..')
const environment = { ADMIN_PASSWORD: adminPassword, LOG_LEVEL: 'warn', RATE_LIMIT: 'off' }

type CommandResult = { code: number; stdout: string; stderr: string }

async function runCommand(dataDir: string, ...args: string[]): Promise<CommandResult> {
  const options = {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, BACKUP_PASSPHRASE: 'for our backups' },
  }
  const running = promisify(execFile)(process.execPath, ['bin/proofroom.js', ...args], options)
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )
}

async function signedIn(url: string) {
  const login = { username: 'admin', password: adminPassword }
  const { body } = await createClient(url).post('/api/auth/admin/login', login)
  return createClient(url, body.token)
}

test('backup of a running service, verify-backup and restore work as in the operating guide', async () => {
  const folder = await temporaryFolder()
  const [dataDir, elsewhere, backups] = [join(folder, 'data'), join(folder, 'restored'), join(folder, 'backups')]
  const service = await startByNode({ dataDir, environment })
  const admin = await signedIn(service.url)
  const token = await admin.post('/api/admin/api-tokens', { name: 'test', scopes: ['admin'] })
  const api = createClient(service.url, token.body.token)
  const event = await createEvent(api)
  const ids = await uploadPhotos(api, event.id, 3)
  try {
    const made = await runCommand(dataDir, 'backup', backups, '--keep', '3')
    expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('6 files') })
    expect(made.stdout).toContain('are in the backup, encrypted with BACKUP_PASSPHRASE')
    const verified = await runCommand(dataDir, 'verify-backup', backups)
    expect(verified).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('can be restored') })
    const { items } = (await admin.get('/api/admin/health')).body
    const item = items.find(({ key }: { key: string }) => key === 'backup')
    expect(item).toMatchObject({ status: 'ok', facts: { files: 6, verified_at: expect.any(String) } })
    for (const entry of await readdir(backups, { recursive: true })) {
      expect((await stat(join(backups, entry))).mode & 0o077, entry).toBe(0)
    }

    const rejected = await runCommand(dataDir, 'restore', backups)
    expect(rejected).toMatchObject({ code: 1, stderr: expect.stringContaining('already') })
    const unknown = await runCommand(elsewhere, 'restore', join(folder, 'nowhere'))
    expect([unknown.code, unknown.stderr.trim().split('\n')]).toEqual([
      1,
      [expect.stringContaining('Cannot read the folder')],
    ])
    const nothing = await runCommand(elsewhere, 'backup', backups)
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing to back up') })
  } finally {
    await service.end('SIGTERM')
  }

  const restored = await runCommand(elsewhere, 'restore', backups)
  expect(restored).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('6 files') })
  const again = await startByNode({ dataDir: elsewhere, environment })
  try {
    // A token from before the backup works, because its hash is in the database.
    const { body } = await createClient(again.url, token.body.token).get(`/api/v1/events/${event.id}/photos`)
    expect(body.photos.map(({ id }: { id: number }) => id)).toEqual(ids)
    // A session from before the backup works, because the backup contains the secret that signed the session.
    expect((await createClient(again.url, admin.token).get('/api/admin/events')).status).toBe(200)
  } finally {
    await again.end('SIGTERM')
  }

  // A backup into a folder that does not have the contents.
  await rm(join(dataDir, 'media/files/events', String(event.id), 'originals'), { recursive: true })
  const lacking = await runCommand(dataDir, 'backup', join(folder, 'lacking'))
  expect(lacking).toMatchObject({ code: 1, stderr: expect.stringContaining('3 files are missing') })

  // Only the service migrates: the data of an older version can still be used by that version.
  const sqlite = new Sqlite(join(dataDir, 'proofroom.db'))
  sqlite.exec('delete from kysely_migration where name = (select max(name) from kysely_migration)')
  sqlite.close()
  const refused = { code: 2, stderr: expect.stringContaining('of an older version (migrations missing: 1)') }
  expect(await runCommand(dataDir, 'backup', backups)).toMatchObject(refused)
  const unrecorded = { code: 0, stdout: expect.stringContaining('can be restored') }
  expect(await runCommand(dataDir, 'verify-backup', backups)).toMatchObject(unrecorded)
})
