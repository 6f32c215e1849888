import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HealthItem } from '../../../contract/instance/health.ts'
import { recordVerification } from '../../../server/backups/backup-rows.ts'
import { days, hours } from '../../../server/platform/time/clock.ts'
import { changeDatabase } from '../../support/database/service-database.ts'
import { createEvent, uploadPhotos } from '../../support/fixtures/events.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import { openSecondContext, runBackup, verifyBackups } from '../../support/service/backups.ts'
import { serviceForFile } from '../../support/service/test-service.ts'

const service = await serviceForFile()
const { id } = await createEvent(service.api)
async function getBackupItem(): Promise<HealthItem> {
  const { body } = await service.admin.get('/api/admin/health')
  return body.items.find(({ key }: HealthItem) => key === 'backup')
}

async function getMetrics(): Promise<Record<string, number>> {
  const { bytes } = await service.api.get('/metrics')
  const lines = [...bytes.toString().matchAll(/^proofroom_backup_(\w+) (\S+)$/gm)]
  return Object.fromEntries(lines.map(([, name, value]) => [name, Number(value)]))
}

const ageBackups = (ms: number) =>
  changeDatabase(service, (stored) =>
    stored.prepare('update backups set started_at = started_at - ?, finished_at = finished_at - ?').run(ms, ms),
  )

async function openContextWithPassphrase() {
  const ctx = await openSecondContext(service.dataDir)
  return { ...ctx, config: { ...ctx.config, backupPassphrase: 'for our backups' } }
}

test('the health page and the metrics show the age and result of the last backup, and of its verification', async () => {
  const emptyMetrics = { age_seconds: Number.NaN, last_run_succeeded: Number.NaN, verified_age_seconds: Number.NaN }
  expect(await getBackupItem()).toMatchObject({ status: 'ok', facts: { made_at: null, failed_at: null } })
  expect(await getMetrics()).toMatchObject(emptyMetrics)

  await uploadPhotos(service.api, id, 2)
  const program = expect.stringMatching(/./)
  expect(await getBackupItem()).toMatchObject({ status: 'warn', facts: { made_at: null, program } })

  const ctx = await openContextWithPassphrase()
  const folder = await temporaryFolder()
  const { manifest } = await runBackup(ctx, folder)
  const bytes = manifest.files.size_bytes
  const expectedFacts = { made_at: manifest.created_at, files: 4, bytes, lost: 0, verified_at: null }
  expect(await getBackupItem()).toMatchObject({ status: 'ok', facts: expectedFacts })
  await ageBackups(hours(1))
  const measured = await getMetrics()
  expect(measured).toMatchObject({ last_run_succeeded: 1, files_lost: 0, bytes })
  expect(Math.abs((measured.age_seconds ?? 0) - 3600)).toBeLessThan(60)

  const { problemCount } = await verifyBackups(folder)
  const verified = { verified_at: Date.now() - hours(2), verified_problems: problemCount }
  expect(await recordVerification(ctx.db, manifest.name, verified)).toBe(true)
  expect(await recordVerification(ctx.db, 'another one', verified)).toBe(false)
  expect(await getBackupItem()).toMatchObject({ status: 'ok', facts: { verified_problems: 0 } })
  expect(Math.abs(((await getMetrics()).verified_age_seconds ?? 0) - 7200)).toBeLessThan(60)
  await recordVerification(ctx.db, manifest.name, { ...verified, verified_problems: 3 })
  expect(await getBackupItem()).toMatchObject({ status: 'fail', facts: { verified_problems: 3 } })
  await recordVerification(ctx.db, manifest.name, verified)

  await ageBackups(days(8))
  expect(await getBackupItem()).toMatchObject({ status: 'warn', fix: expect.stringContaining('no longer runs') })
})

test('a backup without the secrets is reported while only the data folder has them', async () => {
  const ctx = await openSecondContext(service.dataDir)
  await runBackup(ctx, await temporaryFolder())
  expect(await getBackupItem()).toMatchObject({
    status: 'warn',
    text: expect.stringContaining('does not contain `JWT_SECRET` and `ENCRYPTION_KEY`'),
    fix: expect.stringContaining('BACKUP_PASSPHRASE'),
    facts: { secrets: 'none' },
  })
  await runBackup(ctx, await temporaryFolder(), { withSecrets: true })
  expect(await getBackupItem()).toMatchObject({ status: 'ok', facts: { secrets: 'plain' } })
  await runBackup(await openContextWithPassphrase(), await temporaryFolder())
  expect(await getBackupItem()).toMatchObject({ status: 'ok', facts: { secrets: 'encrypted' } })
})

test('a failed run is reported with a problem code that reveals no path', async () => {
  const ctx = await openSecondContext(service.dataDir)
  const foreignFolder = await temporaryFolder()
  await writeFile(join(foreignFolder, 'diary.txt'), 'mine')
  await expect(runBackup(ctx, foreignFolder)).rejects.toThrow(foreignFolder)
  const item = await getBackupItem()
  expect(item).toMatchObject({ status: 'fail', facts: { problem: 'not_a_backup_folder' } })
  expect(JSON.stringify(item)).not.toContain(foreignFolder)
  expect((await getMetrics()).last_run_succeeded).toBe(0)
})

test('files that the instance has lost are reported with the backup that lacks them', async () => {
  const ctx = await openSecondContext(service.dataDir)
  for await (const { key } of ctx.storage.list(`events/${id}/originals`)) await ctx.storage.remove(key)
  const { manifest } = await runBackup(ctx, await temporaryFolder())
  expect(manifest.files.missing).toBe(2)
  expect(await getBackupItem()).toMatchObject({ status: 'warn', facts: { lost: 2 } })
  expect((await getMetrics()).files_lost).toBe(2)
})
