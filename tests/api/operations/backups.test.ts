import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { digestFile } from '../../../server/backups/backup-folder.ts'
import type { RestorePreview } from '../../../server/backups/restore-backup.ts'
import { storeSecrets } from '../../../server/backups/stored-secrets.ts'
import type { Storage } from '../../../server/platform/storage/storage.ts'
import type { TestClient } from '../../support/clients/test-client.ts'
import { loadPhotoRows, readDatabase } from '../../support/database/service-database.ts'
import { createEvent, enterAsGuest } from '../../support/fixtures/events.ts'
import { jpeg } from '../../support/media/pictures.ts'
import { temporaryFolder } from '../../support/run/temporary-folder.ts'
import {
  createRestoreTarget,
  listContentHashes,
  openSecondContext,
  openStorageForTest,
  readFileList,
  restoreTo,
  runBackup,
  verifyBackups,
} from '../../support/service/backups.ts'
import { serviceForFile, serviceForTest, type TestService } from '../../support/service/test-service.ts'
import { storeFile } from '../../support/storage/test-storage.ts'

const service = await serviceForFile()
const { id: eventId } = await createEvent(service.api)
const photoIds = await uploadPhotos(service.api, eventId, 4)

/** The photos are larger than a thumbnail: a smaller photo and its thumbnail could have the same bytes. */
async function uploadPhotos(api: TestClient, event: number, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let seed = 1; seed <= count; seed++) {
    const { status, body } = await api.upload(event, await jpeg({ width: 600, height: 400, seed }))
    expect(status).toBe(201)
    ids.push(body.id)
  }
  return ids
}

/** Uploads at most 30 photos, until the returned function is called. */
function keepUploading({ api }: TestService, event: number) {
  let isStopped = false
  const uploadSeries = async (seed: number) => {
    for (let count = 0; !isStopped && count < 15; count++)
      await api.upload(event, await jpeg({ width: 600, height: 400, seed: seed * 1000 + count }))
  }
  const pendingUploads = Promise.all([uploadSeries(1), uploadSeries(2)])
  return async () => {
    isStopped = true
    await pendingUploads
  }
}

/** A storage that calls `onOpen` before it opens a file. If `onOpen` throws, the file is not opened. */
const withOpenHook = (onOpen: (key: string, storage: Storage) => void | Promise<void>) => (storage: Storage) => ({
  ...storage,
  async openStream(...args: Parameters<Storage['openStream']>) {
    await onOpen(args[0], storage)
    return storage.openStream(...args)
  },
})

const listRows = (stored: TestService, table: string): unknown[] =>
  readDatabase(stored, (database) => database.prepare(`select * from ${table} order by 1, 2`).all())

const treeHash = (bytes: Buffer): string =>
  createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest('hex')

describe('a backup', () => {
  test('made during uploads and restored elsewhere has the rows and files of one moment', async () => {
    const folder = await temporaryFolder()
    const ctx = await openSecondContext(service.dataDir)
    const stop = keepUploading(service, eventId)
    const { manifest } = await runBackup(ctx, folder)
    await stop()
    expect(manifest.files).toMatchObject({ missing: 0, damaged: 0, deleted: 0 })
    expect(manifest.files.count).toBe(2 * (manifest.database.rows.photos ?? 0))
    expect(await verifyBackups(folder)).toMatchObject({ files: manifest.files.count, problems: [] })

    const dataDir = await createRestoreTarget()
    expect(await restoreTo(dataDir, folder)).toMatchObject({ files: manifest.files.count, unreadable: [] })
    const started = await serviceForTest({ environment: { DATA_DIR: dataDir } })
    const restored = { ...started, dataDir }
    const rows = loadPhotoRows(restored) as Array<{ id: number; content_hash: string }>
    expect(rows.length).toBeGreaterThanOrEqual(photoIds.length)
    expect(rows).toEqual(loadPhotoRows(service).slice(0, rows.length))
    expect(listRows(restored, 'events')).toEqual(listRows(service, 'events'))
    for (const { id, content_hash } of rows) {
      const { status, bytes } = await started.api.get(`/api/v1/events/${eventId}/photos/${id}/download`)
      expect([status, treeHash(bytes)]).toEqual([200, content_hash])
      expect((await started.api.get(`/api/v1/events/${eventId}/photos/${id}/preview`)).status).toBe(200)
    }
    // New ids continue after the last restored one.
    const [next] = await uploadPhotos(started.api, eventId, 1)
    expect(next).toBeGreaterThan(rows.at(-1)?.id ?? 0)
  })

  test('copies only what the folder does not have yet, and reads nothing else', async () => {
    const own = await serviceForTest()
    const { id } = await createEvent(own.api)
    await uploadPhotos(own.api, id, 3)
    const folder = await temporaryFolder()
    const opened: string[] = []
    const ctx = await openSecondContext(
      own.dataDir,
      withOpenHook((key) => void opened.push(key)),
    )
    const sizes = (loadPhotoRows(own) as Array<Record<string, number>>).map(
      ({ size_bytes = 0, thumbnail_size_bytes = 0 }) => size_bytes + thumbnail_size_bytes,
    )
    expect((await runBackup(ctx, folder)).copiedBytes).toBe(sizes.reduce((sum, size) => sum + size))
    expect(opened).toHaveLength(6)
    await own.api.upload(id, await jpeg({ width: 600, height: 400, seed: 77 }))
    const { copiedBytes, manifest } = await runBackup(ctx, folder)
    const { size_bytes, thumbnail_size_bytes } = loadPhotoRows(own).at(-1) as Record<string, number>
    expect(opened).toHaveLength(8)
    expect(copiedBytes).toBe((size_bytes ?? 0) + (thumbnail_size_bytes ?? 0))
    expect(manifest.files.count).toBe(8)
    expect(await listContentHashes(folder)).toHaveLength(8)
    expect((await verifyBackups(folder)).problems).toEqual([])
  })

  test('that is interrupted does not count, and the next one reuses what was copied', async () => {
    const folder = await temporaryFolder()
    let remainingFiles = 3
    const interrupted = withOpenHook(() => {
      if (remainingFiles-- === 0) throw new Error('the machine went away')
    })
    await expect(runBackup(await openSecondContext(service.dataDir, interrupted), folder)).rejects.toThrow('went away')
    await expect(verifyBackups(folder)).rejects.toThrow('no complete backup')
    const copied = (await listContentHashes(folder)).length

    const opened: string[] = []
    const ctx = await openSecondContext(
      service.dataDir,
      withOpenHook((key) => void opened.push(key)),
    )
    const { manifest } = await runBackup(ctx, folder)
    // Several files are copied at once, so the exact number is not known.
    expect(copied).toSatisfy((count: number) => count > 0 && count < manifest.files.count)
    expect(opened).toHaveLength(manifest.files.count - copied)
    expect((await readdir(folder)).filter((name) => /^\d/.test(name))).toEqual([manifest.name])
    expect((await verifyBackups(folder)).problems).toEqual([])
  })

  test('reports files that were deleted during the backup, are lost, or are damaged', async () => {
    const own = await serviceForTest()
    const { id } = await createEvent(own.api)
    const [first, , third] = await uploadPhotos(own.api, id, 3)
    const keys = (loadPhotoRows(own) as Array<{ filename: string }>).map(
      ({ filename }) => `events/${id}/originals/${filename}`,
    )
    const [deleted = '', missingKey = '', changed = ''] = keys
    const ctx = await openSecondContext(own.dataDir)
    const bytes = await ctx.storage.readSmallFile(changed, 1e6)
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 9) ^ 1, bytes.length - 9)
    await ctx.storage.remove(missingKey)
    await ctx.storage.remove(changed)
    await storeFile(ctx.storage, changed, bytes)

    let isDeleted = false
    const deletingStorage = withOpenHook(async (key, storage) => {
      if (isDeleted || key !== deleted) return
      isDeleted = true
      await own.admin.delete(`/api/admin/photos/${id}/photos/${first}`)
      await storage.quarantine(key)
    })
    const folder = await temporaryFolder()
    const { path, manifest } = await runBackup(await openSecondContext(own.dataDir, deletingStorage), folder)
    expect(isDeleted).toBe(true)
    const files = await readFileList(path)
    expect(files.find(({ key }) => key === deleted)).toMatchObject({ state: 'deleted', hash: null })
    expect(files.find(({ key }) => key === missingKey)).toMatchObject({ state: 'missing', hash: null })
    expect(files.find(({ key }) => key === changed)).toMatchObject({ state: 'damaged', hash: treeHash(bytes) })
    expect(manifest.files).toMatchObject({ missing: 1, damaged: 1 })
    expect((await verifyBackups(folder)).problems).toEqual([])

    const dataDir = await createRestoreTarget()
    await restoreTo(dataDir, folder)
    const restored = await serviceForTest({ environment: { DATA_DIR: dataDir } })
    const original = await restored.api.get(`/api/v1/events/${id}/photos/${third}/download`)
    expect(original.bytes.equals(bytes)).toBe(true)
  })

  test('keeps the requested number of backups, and only their contents', async () => {
    const own = await serviceForTest()
    const { id } = await createEvent(own.api)
    const [first] = await uploadPhotos(own.api, id, 2)
    const folder = await temporaryFolder()
    const ctx = await openSecondContext(own.dataDir)
    const oldest = await runBackup(ctx, folder)
    await own.admin.delete(`/api/admin/photos/${id}/photos/${first}`)
    await runBackup(ctx, folder)
    expect(await listContentHashes(folder)).toHaveLength(4)
    const newest = await runBackup(ctx, folder, { keep: 2 })
    expect(newest.removed).toEqual([oldest.manifest.name])
    expect(await listContentHashes(folder)).toHaveLength(2)
    const names = (await readdir(folder)).filter((name) => /^\d/.test(name))
    expect(names).toHaveLength(2)
    for (const name of names) expect((await verifyBackups(folder, { name })).problems).toEqual([])
    await expect(verifyBackups(folder, { name: oldest.manifest.name })).rejects.toThrow('of that name')
  })

  test('keeps the contents of all kept backups, not only of the newest', async () => {
    const own = await serviceForTest()
    const { id } = await createEvent(own.api)
    const [first] = await uploadPhotos(own.api, id, 2)
    const folder = await temporaryFolder()
    const ctx = await openSecondContext(own.dataDir)
    const older = await runBackup(ctx, folder)
    await own.admin.delete(`/api/admin/photos/${id}/photos/${first}`)
    await runBackup(ctx, folder, { keep: 2 })
    expect((await verifyBackups(folder, { name: older.manifest.name })).problems).toEqual([])
  })

  test('copies a file again if the folder has only a part of it', async () => {
    const folder = await temporaryFolder()
    const ctx = await openSecondContext(service.dataDir)
    const { path } = await runBackup(ctx, folder)
    const [{ hash = '' } = {}] = (await readFileList(path)) as Array<{ hash: string }>
    const content = join(folder, 'files', hash.slice(0, 2), hash)
    await truncate(content, 100)
    await runBackup(ctx, folder)
    expect((await verifyBackups(folder)).problems).toEqual([])
  })

  test('contains no renditions and no unfinished uploads, nor their rows', async () => {
    const own = await serviceForTest()
    const event = await createEvent(own.api)
    const [photo] = await uploadPhotos(own.api, event.id, 1)
    const guest = await enterAsGuest(own, event)
    expect((await guest.get(`/api/gallery/${event.slug}/photo/${photo}?w=640`)).status).toBe(200)
    const chunked = { filename: 'large.jpg', fileSize: 20e6 }
    const initResponse = await own.admin.post(`/api/admin/photos/${event.id}/chunked-upload/init`, chunked)
    expect(initResponse.status).toBe(200)
    const renditionCount = readDatabase(own, (stored) =>
      stored.prepare('select count(*) from photo_renditions').pluck().get(),
    )
    expect(Number(renditionCount)).toBe(1)
    const { manifest } = await runBackup(await openSecondContext(own.dataDir), await temporaryFolder())
    expect(manifest.database.rows).toMatchObject({ photos: 1, photo_renditions: 0, chunked_uploads: 0 })
    expect(manifest.files.count).toBe(2)
  })

  test('contains the secrets only on request, readable for the owner only', async () => {
    const folder = await temporaryFolder()
    const ctx = await openSecondContext(service.dataDir)
    const withoutSecrets = await runBackup(ctx, folder)
    const fileContents = await Promise.all(
      (await readdir(withoutSecrets.path)).map((name) => readFile(join(withoutSecrets.path, name))),
    )
    for (const secret of Object.values(ctx.secrets)) {
      expect(fileContents.some((bytes) => bytes.includes(secret))).toBe(false)
    }
    const { path, manifest } = await runBackup(ctx, folder, { withSecrets: true })
    expect([withoutSecrets.manifest.has_secrets, manifest.has_secrets]).toEqual([false, true])
    expect((await stat(join(path, 'secrets'))).mode & 0o777).toBe(0o700)
    for (const name of await readdir(join(path, 'secrets'))) {
      expect((await stat(join(path, 'secrets', name))).mode & 0o777).toBe(0o600)
    }
    const dataDir = await createRestoreTarget()
    await restoreTo(dataDir, folder)
    const restored = await serviceForTest({ environment: { DATA_DIR: dataDir } })
    // This session began before the backup was made.
    const session = { authorization: `Bearer ${service.admin.token}` }
    expect((await restored.anonymous.get('/api/auth/session', session)).body).toMatchObject({ valid: true })
  })

  test('contains the secrets encrypted with BACKUP_PASSPHRASE, and restores them with it', async () => {
    const folder = await temporaryFolder()
    const ctx = await openSecondContext(service.dataDir)
    const passphrase = 'for our backups'
    const backup = await runBackup({ ...ctx, config: { ...ctx.config, backupPassphrase: passphrase } }, folder)
    expect(backup.manifest).toMatchObject({ has_secrets: false, has_encrypted_secrets: true })
    for (const name of await readdir(backup.path)) {
      const bytes = await readFile(join(backup.path, name))
      for (const secret of Object.values(ctx.secrets)) expect(bytes.includes(secret), name).toBe(false)
    }

    const dataDir = await createRestoreTarget()
    await expect(restoreTo(dataDir, folder)).rejects.toThrow('Set BACKUP_PASSPHRASE')
    await expect(restoreTo(dataDir, folder, { passphrase: 'another one' })).rejects.toThrow('is not the passphrase')
    expect(await readdir(dataDir)).not.toContain('restoring.json')
    await restoreTo(dataDir, folder, { passphrase })
    expect(await readFile(join(dataDir, 'secrets/jwt-secret'), 'utf8')).toBe(ctx.secrets.jwtSecret)
    expect(await readFile(join(dataDir, 'secrets/encryption-key'), 'utf8')).toBe(ctx.secrets.encryptionKey)

    expect(await verifyBackups(folder, { passphrase })).toMatchObject({ problemCount: 0 })
    const wrong = await verifyBackups(folder, { passphrase: 'another one' })
    expect(wrong.problems).toEqual([expect.stringContaining('is not the passphrase')])

    const without = await createRestoreTarget()
    await restoreTo(without, folder, { withoutSecrets: true })
    expect(await readdir(without)).not.toContain('secrets')
  })

  test('a restore says what the backup has lost before it writes anything', async () => {
    const folder = await temporaryFolder()
    await runBackup(await openSecondContext(service.dataDir), folder)
    const [hash = ''] = await listContentHashes(folder)
    await rm(join(folder, 'files', hash.slice(0, 2), hash))
    const dataDir = await createRestoreTarget()
    const lost: string[][] = []
    const onBegin = async (preview: RestorePreview) => {
      lost.push(preview.lost)
      expect(await readdir(dataDir)).not.toContain('restoring.json')
    }
    const { unreadable } = await restoreTo(dataDir, folder, { onBegin })
    expect(lost).toEqual([unreadable])
    expect(unreadable.length).toBeGreaterThan(0)
  })

  test('requires a folder of its own, and runs one at a time', async () => {
    const ctx = await openSecondContext(service.dataDir)
    const foreign = await temporaryFolder()
    await writeFile(join(foreign, 'diary.txt'), 'mine')
    await expect(runBackup(ctx, foreign)).rejects.toThrow('not backups')
    expect(await readdir(foreign)).toEqual(['diary.txt'])

    const missingFolder = join(await temporaryFolder(), 'disk', 'backups')
    await expect(runBackup(ctx, missingFolder)).rejects.toThrow(`-m 700 ${missingFolder}`)
    await expect(runBackup(ctx, '/proc/backups')).rejects.toThrow('Cannot create a folder')
    await expect(runBackup(ctx, join(foreign, 'diary.txt'))).rejects.toThrow('is not a folder')

    const folder = await temporaryFolder()
    // A new file system has this folder.
    await mkdir(join(folder, 'lost+found'))
    const gate = Promise.withResolvers<void>()
    const slowContext = await openSecondContext(
      service.dataDir,
      withOpenHook(() => gate.promise),
    )
    const first = runBackup(slowContext, folder)
    await expect.poll(() => readdir(folder)).toContain('lock')
    await expect(runBackup(ctx, folder)).rejects.toThrow('Another backup')
    gate.resolve()
    await first
    expect((await verifyBackups(folder)).problems).toEqual([])
  })
})

describe('verify-backup', () => {
  test('finds contents that are missing or changed, and names them', async () => {
    const folder = await temporaryFolder()
    const { path } = await runBackup(await openSecondContext(service.dataDir), folder)
    const [one, other] = await readFileList(path)
    const pathOf = (hash: string) => join(folder, 'files', hash.slice(0, 2), hash)
    const bytes = await readFile(pathOf(one?.hash ?? ''))
    bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20)
    await writeFile(pathOf(one?.hash ?? ''), bytes)
    await rm(pathOf(other?.hash ?? ''))
    const { problems } = await verifyBackups(folder)
    expect(problems).toHaveLength(2)
    expect(problems.join()).toContain(one?.key)
    expect(problems.join()).toContain(other?.key)
    const dataDir = await createRestoreTarget()
    const { unreadable } = await restoreTo(dataDir, folder)
    expect(unreadable.sort()).toEqual([one?.key, other?.key].sort())
    await rm(pathOf(one?.hash ?? ''))
    await runBackup(await openSecondContext(service.dataDir), folder)
    expect((await verifyBackups(folder)).problems).toEqual([])
  })

  test('finds a damaged database or file list', async () => {
    for (const file of ['proofroom.db', 'files.jsonl']) {
      const folder = await temporaryFolder()
      const { path } = await runBackup(await openSecondContext(service.dataDir), folder)
      const bytes = await readFile(join(path, file))
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 30) ^ 1, bytes.length - 30)
      await writeFile(join(path, file), bytes)
      await expect(verifyBackups(folder)).rejects.toThrow('its checksum does not match')
      await expect(restoreTo(await createRestoreTarget(), folder)).rejects.toThrow('its checksum does not match')
    }
  })

  test('finds counts that differ from the manifest', async () => {
    const folder = await temporaryFolder()
    const { path, manifest } = await runBackup(await openSecondContext(service.dataDir), folder)
    const { rows } = manifest.database
    const other = { ...manifest, database: { ...manifest.database, rows: { ...rows, photos: (rows.photos ?? 0) + 1 } } }
    await writeFile(join(path, 'manifest.json'), JSON.stringify(other))
    expect((await verifyBackups(folder)).problems).toEqual(['The row counts of the tables differ from the manifest.'])
  })

  test('migrates the copy of a backup that an older version has made', async () => {
    const folder = await temporaryFolder()
    const { path, manifest } = await runBackup(await openSecondContext(service.dataDir), folder)
    const file = join(path, 'proofroom.db')
    const sqlite = new Sqlite(file)
    for (const table of ['trashed_account_marks', 'trashed_feedback', 'trashed_photos'])
      sqlite.exec(`drop table ${table}`)
    sqlite.exec(`drop index events_in_trash; alter table events drop column trashed_at;
      drop index guest_notes_by_trashed_photo; alter table guest_notes drop column trashed_photo_id;
      delete from kysely_migration where name = '0039-trash'`)
    sqlite.close()
    const rows = Object.entries(manifest.database.rows).filter(([table]) => !table.startsWith('trashed_'))
    const database = { ...(await digestFile(file)), rows: Object.fromEntries(rows) }
    await writeFile(join(path, 'manifest.json'), JSON.stringify({ ...manifest, database }))
    expect((await verifyBackups(folder)).problems).toEqual([])
  })

  test('leaves nothing in its scratch folder', async () => {
    const folder = await temporaryFolder()
    await runBackup(await openSecondContext(service.dataDir), folder)
    const scratch = await temporaryFolder()
    await verifyBackups(folder, { scratch })
    expect(await readdir(scratch)).toEqual([])
  })
})

describe('restore', () => {
  test('rejects a target that is not empty', async () => {
    const folder = await temporaryFolder()
    const ctx = await openSecondContext(service.dataDir)
    await runBackup(ctx, folder)
    const before = loadPhotoRows(service)
    await expect(restoreTo(service.dataDir, folder)).rejects.toThrow(/already/)
    expect(loadPhotoRows(service)).toEqual(before)

    const dirWithDatabase = await createRestoreTarget()
    await openSecondContext(dirWithDatabase)
    await expect(restoreTo(dirWithDatabase, folder)).rejects.toThrow(/database.* already/)

    const dataDir = await createRestoreTarget()
    await storeFile(await openStorageForTest(dataDir), 'events/7/originals/1_0a.jpg', Buffer.from('a photo'))
    await expect(restoreTo(dataDir, folder)).rejects.toThrow('already contains photos')
  })

  test('rejects a backup of a newer version', async () => {
    const folder = await temporaryFolder()
    await runBackup(await openSecondContext(service.dataDir), folder)
    const dataDir = await createRestoreTarget()
    const older = { '0001-foundation': { up: async () => undefined } }
    await expect(restoreTo(dataDir, folder, { migrations: older })).rejects.toThrow('newer than this version')
    expect(await readdir(dataDir)).not.toContain('proofroom.db')
  })

  test('that is interrupted can be continued, and no partial file counts as complete', async () => {
    const folder = await temporaryFolder()
    await runBackup(await openSecondContext(service.dataDir), folder)
    const dataDir = await createRestoreTarget()
    let remainingFiles = 3
    const interrupted = (storage: Storage): Storage => ({
      ...storage,
      commit: async (files) => {
        if (remainingFiles-- <= 0) throw new Error('the machine went away')
        await storage.commit(files)
      },
    })
    await expect(restoreTo(dataDir, folder, { wrapStorage: interrupted })).rejects.toThrow('went away')
    expect(await readdir(dataDir)).not.toContain('proofroom.db')

    let committed = 0
    const countingStorage = (storage: Storage): Storage => ({
      ...storage,
      commit: async (files) => {
        committed += files.length
        await storage.commit(files)
      },
    })
    const { files, unreadable } = await restoreTo(dataDir, folder, { wrapStorage: countingStorage })
    expect([committed, unreadable]).toEqual([files - 3, []])
    expect(await readdir(dataDir)).not.toContain('restoring.json')
    const restored = await serviceForTest({ environment: { DATA_DIR: dataDir } })
    for (const id of photoIds) {
      const original = await restored.api.get(`/api/v1/events/${eventId}/photos/${id}/download`)
      expect(original.status).toBe(200)
    }
  })

  test('keeps secrets that exist already', async () => {
    const folder = await temporaryFolder()
    await runBackup(await openSecondContext(service.dataDir), folder, { withSecrets: true })
    const dataDir = await createRestoreTarget()
    const own = { jwtSecret: 'j'.repeat(40), encryptionKey: 'e'.repeat(40) }
    await storeSecrets(dataDir, own)
    await restoreTo(dataDir, folder)
    expect(await readFile(join(dataDir, 'secrets/jwt-secret'), 'utf8')).toBe(own.jwtSecret)
  })
})
