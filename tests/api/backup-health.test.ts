import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HealthItem } from '../../contract/health.ts'
import { recordVerification } from '../../server/backups/backup-rows.ts'
import { days, hours } from '../../server/platform/clock.ts'
import { backUp, contextBeside, verify } from '../support/backups.ts'
import { createEvent, uploadPhotos } from '../support/events.ts'
import { changeDatabase } from '../support/stored.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { serviceForFile } from '../support/test-service.ts'

const service = await serviceForFile()
const { id } = await createEvent(service.api)
async function backupItem(): Promise<HealthItem> {
  const { body } = await service.admin.get('/api/admin/health')
  return body.items.find(({ key }: HealthItem) => key === 'backup')
}

async function metrics(): Promise<Record<string, number>> {
  const { bytes } = await service.api.get('/metrics')
  const lines = [...bytes.toString().matchAll(/^proofroom_backup_(\w+) (\S+)$/gm)]
  return Object.fromEntries(lines.map(([, name, value]) => [name, Number(value)]))
}

const moveBack = (ms: number) =>
  changeDatabase(service, (stored) =>
    stored.prepare('update backups set started_at = started_at - ?, finished_at = finished_at - ?').run(ms, ms),
  )

test('the health page and the metrics show the age and result of the last backup, and of its verification', async () => {
  const none = { age_seconds: Number.NaN, last_run_succeeded: Number.NaN, verified_age_seconds: Number.NaN }
  expect(await backupItem()).toMatchObject({ status: 'ok', facts: { made_at: null, failed_at: null } })
  expect(await metrics()).toMatchObject(none)

  // The photos are older than a week, and there is no backup yet.
  await uploadPhotos(service.api, id, 2)
  await changeDatabase(service, (stored) => {
    stored.prepare('update photos set uploaded_at = ?').run(Date.now() - days(9))
  })
  expect(await backupItem()).toMatchObject({ status: 'warn', facts: { made_at: null } })

  const ctx = await contextBeside(service.dataDir)
  const folder = await temporaryFolder()
  const { manifest } = await backUp(ctx, folder)
  const made = { made_at: manifest.created_at, files: 4, bytes: manifest.files.size_bytes, lost: 0, verified_at: null }
  expect(await backupItem()).toMatchObject({ status: 'ok', facts: made })
  await moveBack(hours(1))
  const told = await metrics()
  expect(told).toMatchObject({ last_run_succeeded: 1, files_lost: 0, bytes: manifest.files.size_bytes })
  expect(Math.abs((told.age_seconds ?? 0) - 3600)).toBeLessThan(60)

  const { problemCount } = await verify(folder)
  const verified = { verified_at: Date.now() - hours(2), verified_problems: problemCount }
  expect(await recordVerification(ctx.db, manifest.name, verified)).toBe(true)
  expect(await recordVerification(ctx.db, 'another one', verified)).toBe(false)
  expect(await backupItem()).toMatchObject({ status: 'ok', facts: { verified_problems: 0 } })
  expect(Math.abs(((await metrics()).verified_age_seconds ?? 0) - 7200)).toBeLessThan(60)
  await recordVerification(ctx.db, manifest.name, { ...verified, verified_problems: 3 })
  expect(await backupItem()).toMatchObject({ status: 'fail', facts: { verified_problems: 3 } })
  await recordVerification(ctx.db, manifest.name, verified)

  await moveBack(days(8))
  expect(await backupItem()).toMatchObject({ status: 'warn', fix: expect.stringContaining('not run any more') })
})

test('a failed run is reported with a problem code that reveals no path', async () => {
  const ctx = await contextBeside(service.dataDir)
  const elsewhere = await temporaryFolder()
  await writeFile(join(elsewhere, 'diary.txt'), 'mine')
  await expect(backUp(ctx, elsewhere)).rejects.toThrow(elsewhere)
  const item = await backupItem()
  expect(item).toMatchObject({ status: 'fail', facts: { problem: 'not_a_backup_folder' } })
  expect(JSON.stringify(item)).not.toContain(elsewhere)
  expect((await metrics()).last_run_succeeded).toBe(0)
})

test('files that the instance has lost are reported with the backup that lacks them', async () => {
  const ctx = await contextBeside(service.dataDir)
  for await (const { key } of ctx.storage.list(`events/${id}/originals`)) await ctx.storage.remove(key)
  const { manifest } = await backUp(ctx, await temporaryFolder())
  expect(manifest.files.missing).toBe(2)
  expect(await backupItem()).toMatchObject({ status: 'warn', facts: { lost: 2 } })
  expect((await metrics()).files_lost).toBe(2)
})
