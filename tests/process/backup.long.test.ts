import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { loadPhotos } from '../support/fixtures/imports.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { startKillableService } from '../support/service/killable-service.ts'
import { runToEnd } from '../support/service/proofroom-command.ts'
import { startByNode } from '../support/service/service-process.ts'

test('backup of a running service, verify-backup and restore work as in the operating guide', async () => {
  const service = await startKillableService()
  const { dataDir } = service.stored
  const [folder, backups] = [await temporaryFolder(), await temporaryFolder()]
  const elsewhere = join(folder, 'restored')
  const run = (DATA_DIR: string, ...args: string[]) =>
    runToEnd(args, { DATA_DIR, BACKUP_PASSPHRASE: 'for our backups' })
  const [admin, api] = [service.admin(), service.api()]
  const event = await createEvent(api)
  const ids = await uploadPhotos(api, event.id, 3)

  const made = await run(dataDir, 'backup', backups, '--keep', '3')
  expect(made).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('6 files') })
  expect(made.stdout).toContain('are in the backup, encrypted with BACKUP_PASSPHRASE')
  const verified = { code: 0, stderr: '', stdout: expect.stringContaining('can be restored') }
  expect(await run(dataDir, 'verify-backup', backups)).toMatchObject(verified)
  const { items } = (await admin.get('/api/admin/health')).body
  const item = items.find(({ key }: { key: string }) => key === 'backup')
  expect(item).toMatchObject({ status: 'ok', facts: { files: 6, verified_at: expect.any(String) } })
  for (const entry of await readdir(backups, { recursive: true })) {
    expect((await stat(join(backups, entry))).mode & 0o077, entry).toBe(0)
  }
  const failing = (stderr: string) => ({ code: 1, stderr: expect.stringContaining(stderr) })
  expect(await run(dataDir, 'restore', backups)).toMatchObject(failing('already'))
  const unknown = await run(elsewhere, 'restore', join(folder, 'nowhere'))
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringMatching(/^.*Cannot read the folder.*\n$/) })
  expect(await run(elsewhere, 'backup', backups)).toMatchObject(failing('nothing to back up'))
  await service.process().end('SIGTERM')

  const restored = { code: 0, stderr: '', stdout: expect.stringContaining('6 files') }
  expect(await run(elsewhere, 'restore', backups)).toMatchObject(restored)
  const again = await startByNode({ dataDir: elsewhere })
  onTestFinished(() => again.end('SIGKILL'))
  // The token works because its hash is in the database, and the session because the backup has the secret that signed it.
  const photos = await loadPhotos({ api: createClient(again.url, api.token) }, event.id)
  expect(photos.map(({ id }) => id)).toEqual(ids)
  expect((await createClient(again.url, admin.token).get('/api/admin/events')).status).toBe(200)

  // A backup into a folder that does not have the contents.
  await rm(join(dataDir, 'media/files/events', String(event.id), 'originals'), { recursive: true })
  expect(await run(dataDir, 'backup', join(folder, 'lacking'))).toMatchObject(failing('3 files are missing'))

  // Only the service migrates: the data of an older version can still be used by that version.
  const sqlite = new Sqlite(join(dataDir, 'proofroom.db'))
  sqlite.exec('delete from kysely_migration where name = (select max(name) from kysely_migration)')
  sqlite.close()
  const refused = { code: 2, stderr: expect.stringContaining('of an older version (migrations missing: 1)') }
  expect(await run(dataDir, 'backup', backups)).toMatchObject(refused)
  const unrecorded = { ...verified, stderr: expect.stringContaining('cannot open the database now') }
  expect(await run(dataDir, 'verify-backup', backups)).toMatchObject(unrecorded)
})
