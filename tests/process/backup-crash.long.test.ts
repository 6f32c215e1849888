import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadPhotoRows } from '../support/database/service-database.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { jpeg } from '../support/media/pictures.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { listContentHashes, verifyBackups } from '../support/service/backups.ts'
import { startKillableService } from '../support/service/killable-service.ts'
import { runToEnd } from '../support/service/proofroom-command.ts'
import type { TestService } from '../support/service/test-service.ts'

const photos = 60

const run = (DATA_DIR: string, args: string[], options = {}) =>
  runToEnd(args, { DATA_DIR, BACKUP_PASSPHRASE: 'for our backups' }, options)

/** Kills a command later each time until it finishes. Returns the number of kills. */
async function killUntilFinished(dataDir: string, args: string[]): Promise<number> {
  for (let kills = 0; ; kills++) {
    const { code, stderr } = await run(dataDir, args, { killAfterMs: Math.round(150 * 1.25 ** kills) })
    if (code === null) continue
    // `already`: the previous command had done all of its work before it was killed.
    expect(stderr).toMatch(/^$|already/)
    return kills
  }
}

test('repeated kill -9 during backup and restore leaves no partial backup, and the last run is complete', async () => {
  const service = await startKillableService()
  const { dataDir } = service.stored
  const { id } = await createEvent(service.api())
  for (let seed = 0; seed < photos; seed++) {
    await service.api().upload(id, await jpeg({ width: 500, height: 400, seed }))
  }
  const backups = await temporaryFolder()
  expect(await killUntilFinished(dataDir, ['backup', backups])).toBeGreaterThan(2)
  const { problems, manifest, files } = await verifyBackups(backups)
  expect([problems, files]).toEqual([[], 2 * photos])
  // Every backup with its final name is complete, even if its command was killed.
  const names = (await readdir(backups)).filter((name) => /^\d/.test(name))
  for (const name of names) expect(await readdir(join(backups, name))).toContain('manifest.json')
  expect(await readdir(join(backups, 'staging'))).toHaveLength(1)
  expect((await listContentHashes(backups)).length).toBeLessThanOrEqual(2 * photos)

  const elsewhere = join(await temporaryFolder(), 'data')
  expect(await killUntilFinished(elsewhere, ['restore', backups])).toBeGreaterThan(2)
  expect(await readdir(elsewhere)).not.toContain('restoring.json')
  expect(loadPhotoRows({ dataDir: elsewhere } as TestService)).toEqual(loadPhotoRows(service.stored))
  const again = await temporaryFolder()
  expect(await run(elsewhere, ['backup', again])).toMatchObject({ code: 0, stderr: '' })
  expect((await verifyBackups(again)).manifest.files).toEqual(manifest.files)
}, 240_000)
