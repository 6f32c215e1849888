import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { digestFile } from '../../../server/backups/backup-folder.ts'
import type { BackupOptions } from '../../../server/backups/make-backup.ts'
import type { RestorePreview } from '../../../server/backups/restore-backup.ts'
import { storeSecrets } from '../../../server/backups/stored-secrets.ts'
import type { Storage } from '../../../server/platform/storage/storage.ts'
import type { AppContext } from '../../../server/settings/app-context.ts'
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

/** The photos are larger than a thumbnail: a smaller photo and its thumbnail could have the same bytes. */
const largePhoto = (seed: number) => jpeg({ width: 600, height: 400, seed })

const service = await serviceForFile()
const { id: eventId } = await createEvent(service.api)
const photoIds = await uploadPhotos(service.api, eventId, 4)

async function uploadPhotos(api: TestClient, event: number, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let seed = 1; seed <= count; seed++) {
    const { status, body } = await api.upload(event, await largePhoto(seed))
    expect(status).toBe(201)
    ids.push(body.id)
  }
  return ids
}

/** Uploads at most 20 photos, until the returned function is called. */
function keepUploading({ api }: TestService, event: number) {
  let isStopped = false
  const uploads = [1000, 2000].map(async (first) => {
    for (let seed = first; !isStopped && seed < first + 10; seed++) await api.upload(event, await largePhoto(seed))
  })
  return async () => {
    isStopped = true
    await Promise.all(uploads)
  }
}

/** A storage that calls `onOpen` before it opens a file. If `onOpen` throws, the file is not opened. */
const withOpenHook = (onOpen: (key: string, storage: Storage) => unknown) => (storage: Storage) => ({
  ...storage,
  async openStream(...args: Parameters<Storage['openStream']>) {
    await onOpen(args[0], storage)
    return storage.openStream(...args)
  },
})

/** Makes a backup of the service of this file in a new folder. */
async function backUp(options: Partial<BackupOptions> = {}) {
  const [folder, ctx] = [await temporaryFolder(), await openSecondContext(service.dataDir)]
  return { folder, ctx, ...(await runBackup(ctx, folder, options)) }
}

const restoredService = (dataDir: string) => serviceForTest({ environment: { DATA_DIR: dataDir } })
const pathOfContent = (folder: string, hash = '') => join(folder, 'files', hash.slice(0, 2), hash)
const listBackups = async (folder: string) => (await readdir(folder)).filter((name) => /^\d/.test(name))
const listProblems = async (folder: string, name?: string) =>
  (await verifyBackups(folder, name === undefined ? {} : { name })).problems

async function flipBit(file: string, fromEnd: number): Promise<void> {
  const bytes = await readFile(file)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - fromEnd) ^ 1, bytes.length - fromEnd)
  await writeFile(file, bytes)
}

async function expectNoSecrets(path: string, { secrets }: AppContext): Promise<void> {
  for (const name of await readdir(path)) {
    const bytes = await readFile(join(path, name))
    for (const secret of Object.values(secrets)) expect(bytes.includes(secret), name).toBe(false)
  }
}

const listRows = (stored: TestService, table: string): unknown[] =>
  readDatabase(stored, (database) => database.prepare(`select * from ${table} order by 1, 2`).all())

const treeHash = (bytes: Buffer): string =>
  createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest('hex')

describe('a backup', () => {
  test('made during uploads has the rows and files of one moment', { tags: 'database' }, async () => {
    const own = await serviceForTest()
    const { id: event } = await createEvent(own.api)
    await uploadPhotos(own.api, event, 4)
    const folder = await temporaryFolder()
    const ctx = await openSecondContext(own.dataDir)
    const stop = keepUploading(own, event)
    const { manifest } = await runBackup(ctx, folder)
    await stop()
    expect(manifest.files).toMatchObject({ missing: 0, damaged: 0, deleted: 0 })
    expect(manifest.files.count).toBe(2 * (manifest.database.rows.photos ?? 0))
    expect(await verifyBackups(folder)).toMatchObject({ files: manifest.files.count, problems: [] })

    const dataDir = await createRestoreTarget()
    expect(await restoreTo(dataDir, folder)).toMatchObject({ files: manifest.files.count, unreadable: [] })
    const started = await restoredService(dataDir)
    const restored = { ...started, dataDir }
    const rows = loadPhotoRows(restored) as Array<{ id: number; content_hash: string }>
    expect(rows.length).toBeGreaterThanOrEqual(4)
    expect(rows).toEqual(loadPhotoRows(own).slice(0, rows.length))
    expect(listRows(restored, 'events')).toEqual(listRows(own, 'events'))
    for (const { id, content_hash } of rows) {
      const { status, bytes } = await started.api.get(`/api/v1/events/${event}/photos/${id}/download`)
      expect([status, treeHash(bytes)]).toEqual([200, content_hash])
    }
    const preview = `/api/v1/events/${event}/photos/${rows[0]?.id}/preview`
    expect((await started.api.get(preview)).status).toBe(200)
    // New ids continue after the last restored one.
    const [next] = await uploadPhotos(started.api, event, 1)
    expect(next).toBeGreaterThan(rows.at(-1)?.id ?? 0)
  })

  test('copies only new files, no renditions, earlier files and unfinished uploads, and keeps what its folder needs', async () => {
    const own = await serviceForTest()
    const event = await createEvent(own.api)
    const [first, second] = await uploadPhotos(own.api, event.id, 3)
    await own.api.upload(event.id, await largePhoto(76), { fields: { replaces_photo_id: second ?? 0 } })
    const guest = await enterAsGuest(own, event)
    expect((await guest.get(`/api/gallery/${event.slug}/photo/${first}?w=640`)).status).toBe(200)
    const chunked = { filename: 'large.jpg', fileSize: 20e6 }
    expect((await own.admin.post(`/api/admin/photos/${event.id}/chunked-upload/init`, chunked)).status).toBe(200)
    expect([listRows(own, 'photo_renditions').length, listRows(own, 'replaced_files').length]).toEqual([1, 1])

    const folder = await temporaryFolder()
    const opened: string[] = []
    const hook = withOpenHook((key) => opened.push(key))
    const ctx = await openSecondContext(own.dataDir, hook)
    const listSizes = () =>
      (loadPhotoRows(own) as Array<Record<string, number>>).map(
        ({ size_bytes = 0, thumbnail_size_bytes = 0 }) => size_bytes + thumbnail_size_bytes,
      )
    const oldest = await runBackup(ctx, folder)
    const { rows } = oldest.manifest.database
    expect(rows).toMatchObject({ photos: 3, photo_renditions: 0, chunked_uploads: 0, replaced_files: 0 })
    expect(oldest.copiedBytes).toBe(listSizes().reduce((sum, size) => sum + size))
    expect(opened).toHaveLength(6)

    await own.api.upload(event.id, await largePhoto(77))
    const { copiedBytes, manifest } = await runBackup(ctx, folder)
    expect([opened.length, copiedBytes, manifest.files.count]).toEqual([8, listSizes().at(-1), 8])
    await own.admin.delete(`/api/admin/photos/${event.id}/photos/${first}`)
    await runBackup(ctx, folder)
    expect(await listContentHashes(folder)).toHaveLength(8)
    expect(await listProblems(folder, oldest.manifest.name)).toEqual([])

    const newest = await runBackup(ctx, folder, { keep: 2 })
    expect(newest.removed).toEqual([oldest.manifest.name, manifest.name])
    expect([opened.length, (await listContentHashes(folder)).length]).toEqual([8, 6])
    const names = await listBackups(folder)
    expect(names).toHaveLength(2)
    for (const name of names) expect(await listProblems(folder, name)).toEqual([])
    await expect(verifyBackups(folder, { name: oldest.manifest.name })).rejects.toThrow('of that name')
  })

  test('has the earlier versions of photos, and is verified with them', async () => {
    const own = await serviceForTest()
    const event = await createEvent(own.api, { keep_versions: true })
    const [photoId = 0] = await uploadPhotos(own.api, event.id, 1)
    await own.api.upload(event.id, await largePhoto(78), { fields: { replaces_photo_id: photoId } })
    const ctx = await openSecondContext(own.dataDir)
    const folder = await temporaryFolder()
    const { manifest } = await runBackup(ctx, folder)
    expect(manifest.files.count).toBe(4)
    const { versions } = (await own.api.get(`/api/v1/events/${event.id}/photos/${photoId}/versions`)).body
    const keys = (await readFileList(join(folder, manifest.name))).map(({ key }) => key)
    for (const { filename } of versions) expect(keys).toContain(`events/${event.id}/originals/${filename}`)
    expect(await listProblems(folder)).toEqual([])
    await ctx.storage.remove(`events/${event.id}/originals/${versions[0].filename}`)
    const { manifest: second } = await runBackup(ctx, await temporaryFolder())
    expect(second.files.count).toBe(3)
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
    const hook = withOpenHook((key) => opened.push(key))
    const { manifest } = await runBackup(await openSecondContext(service.dataDir, hook), folder)
    // Several files are copied at once, so the exact number is not known.
    expect(copied).toSatisfy((count: number) => count > 0 && count < manifest.files.count)
    expect(opened).toHaveLength(manifest.files.count - copied)
    expect(await listBackups(folder)).toEqual([manifest.name])
    expect(await listProblems(folder)).toEqual([])
  })

  test('reports files that were deleted during the backup, are lost, or are damaged', async () => {
    const own = await serviceForTest()
    const { id } = await createEvent(own.api)
    const [first, , third] = await uploadPhotos(own.api, id, 3)
    const [deleted = '', missingKey = '', changed = ''] = (loadPhotoRows(own) as Array<{ filename: string }>).map(
      ({ filename }) => `events/${id}/originals/${filename}`,
    )
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
    const files = await readFileList(path)
    expect(files.find(({ key }) => key === deleted)).toMatchObject({ state: 'deleted', hash: null })
    expect(files.find(({ key }) => key === missingKey)).toMatchObject({ state: 'missing', hash: null })
    expect(files.find(({ key }) => key === changed)).toMatchObject({ state: 'damaged', hash: treeHash(bytes) })
    expect(manifest.files).toMatchObject({ missing: 1, damaged: 1 })
    expect(await listProblems(folder)).toEqual([])

    const dataDir = await createRestoreTarget()
    await restoreTo(dataDir, folder)
    const { api } = await restoredService(dataDir)
    const original = await api.get(`/api/v1/events/${id}/photos/${third}/download`)
    expect(original.bytes.equals(bytes)).toBe(true)
  })

  test('contains the secrets only on request, readable for the owner only', async () => {
    const { folder, ctx, ...withoutSecrets } = await backUp()
    await expectNoSecrets(withoutSecrets.path, ctx)
    const { path, manifest } = await runBackup(ctx, folder, { withSecrets: true })
    expect([withoutSecrets.manifest.has_secrets, manifest.has_secrets]).toEqual([false, true])
    const getMode = async (...names: string[]) => (await stat(join(path, 'secrets', ...names))).mode & 0o777
    expect(await getMode()).toBe(0o700)
    for (const name of await readdir(join(path, 'secrets'))) expect(await getMode(name)).toBe(0o600)
    const dataDir = await createRestoreTarget()
    await restoreTo(dataDir, folder)
    const restored = await restoredService(dataDir)
    // This session began before the backup was made.
    const session = { authorization: `Bearer ${service.admin.token}` }
    expect((await restored.anonymous.get('/api/auth/session', session)).body).toMatchObject({ valid: true })

    // A restore keeps secrets that exist already.
    const kept = await createRestoreTarget()
    const own = { jwtSecret: 'j'.repeat(40), encryptionKey: 'e'.repeat(40) }
    await storeSecrets(kept, own)
    await restoreTo(kept, folder)
    expect(await readFile(join(kept, 'secrets/jwt-secret'), 'utf8')).toBe(own.jwtSecret)
  })

  test('contains the secrets encrypted with BACKUP_PASSPHRASE, and restores them with it', async () => {
    const folder = await temporaryFolder()
    const ctx = await openSecondContext(service.dataDir)
    const passphrase = 'for our backups'
    const backup = await runBackup({ ...ctx, config: { ...ctx.config, backupPassphrase: passphrase } }, folder)
    expect(backup.manifest).toMatchObject({ has_secrets: false, has_encrypted_secrets: true })
    await expectNoSecrets(backup.path, ctx)

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
    const hook = withOpenHook(() => gate.promise)
    const first = runBackup(await openSecondContext(service.dataDir, hook), folder)
    await expect.poll(() => readdir(folder)).toContain('lock')
    await expect(runBackup(ctx, folder)).rejects.toThrow('Another backup')
    gate.resolve()
    await first
    expect(await listProblems(folder)).toEqual([])
  })
})

describe('verify-backup', () => {
  test('finds contents that are missing or changed; a restore names them first, and a backup copies them', async () => {
    const { folder, ctx, path } = await backUp()
    const [one, other] = await readFileList(path)
    await flipBit(pathOfContent(folder, one?.hash ?? ''), 20)
    await rm(pathOfContent(folder, other?.hash ?? ''))
    const keys = [one?.key, other?.key].sort()
    const problems = await listProblems(folder)
    expect(problems).toHaveLength(2)
    for (const key of keys) expect(problems.join()).toContain(key)

    const dataDir = await createRestoreTarget()
    const lost: string[][] = []
    const onBegin = async (preview: RestorePreview) => {
      lost.push(preview.lost)
      expect(await readdir(dataDir)).not.toContain('restoring.json')
    }
    const { unreadable } = await restoreTo(dataDir, folder, { onBegin })
    expect([lost, unreadable.sort()]).toEqual([[[other?.key]], keys])

    // A file of another length is copied again. One that is only changed must be removed first.
    await writeFile(pathOfContent(folder, one?.hash ?? ''), 'a part')
    await runBackup(ctx, folder)
    expect(await listProblems(folder)).toEqual([])
  })

  test('finds a damaged database or file list, and counts that differ from the manifest', async () => {
    for (const file of ['proofroom.db', 'files.jsonl']) {
      const damaged = await backUp()
      await flipBit(join(damaged.path, file), 30)
      const mismatch = 'its checksum does not match'
      await expect(verifyBackups(damaged.folder), file).rejects.toThrow(mismatch)
      await expect(restoreTo(await createRestoreTarget(), damaged.folder), file).rejects.toThrow(mismatch)
    }
    const { folder, path, manifest } = await backUp()
    const { rows } = manifest.database
    const other = { ...manifest, database: { ...manifest.database, rows: { ...rows, photos: (rows.photos ?? 0) + 1 } } }
    await writeFile(join(path, 'manifest.json'), JSON.stringify(other))
    expect(await listProblems(folder)).toEqual(['The row counts of the tables differ from the manifest.'])
  })

  test('migrates the copy of a backup that an older version has made, and leaves nothing behind', async () => {
    const { folder, path, manifest } = await backUp()
    const file = join(path, 'proofroom.db')
    const sqlite = new Sqlite(file)
    sqlite.exec(`drop table letter_texts; delete from kysely_migration where name = '0062-letter-texts'`)
    sqlite.close()
    const { letter_texts: _, ...rows } = manifest.database.rows
    const database = { ...(await digestFile(file)), rows }
    await writeFile(join(path, 'manifest.json'), JSON.stringify({ ...manifest, database }))
    const scratch = await temporaryFolder()
    expect((await verifyBackups(folder, { scratch })).problems).toEqual([])
    expect(await readdir(scratch)).toEqual([])
  })
})

describe('restore', () => {
  test('rejects a target that is not empty, and a backup of a newer version', async () => {
    const { folder } = await backUp()
    const before = loadPhotoRows(service)
    await expect(restoreTo(service.dataDir, folder)).rejects.toThrow(/already/)
    expect(loadPhotoRows(service)).toEqual(before)

    const dirWithDatabase = await createRestoreTarget()
    await openSecondContext(dirWithDatabase)
    await expect(restoreTo(dirWithDatabase, folder)).rejects.toThrow(/database.* already/)

    const dirWithPhoto = await createRestoreTarget()
    await storeFile(await openStorageForTest(dirWithPhoto), 'events/7/originals/1_0a.jpg', Buffer.from('a photo'))
    await expect(restoreTo(dirWithPhoto, folder)).rejects.toThrow('already contains photos')

    const dataDir = await createRestoreTarget()
    const older = { '0001-foundation': { up: async () => undefined } }
    await expect(restoreTo(dataDir, folder, { migrations: older })).rejects.toThrow('newer than this version')
    expect(await readdir(dataDir)).not.toContain('proofroom.db')
  })

  test('that is interrupted can be continued, and no partial file counts as complete', async () => {
    const { folder } = await backUp()
    const dataDir = await createRestoreTarget()
    let committed = 0
    const stopAfter = (count: number) => (storage: Storage) => ({
      ...storage,
      commit: async (files: Parameters<Storage['commit']>[0]) => {
        if (committed >= count) throw new Error('the machine went away')
        committed += files.length
        await storage.commit(files)
      },
    })
    await expect(restoreTo(dataDir, folder, { wrapStorage: stopAfter(3) })).rejects.toThrow('went away')
    expect(await readdir(dataDir)).not.toContain('proofroom.db')
    const { files, unreadable } = await restoreTo(dataDir, folder, { wrapStorage: stopAfter(Number.POSITIVE_INFINITY) })
    expect([committed, unreadable]).toEqual([files, []])
    expect(await readdir(dataDir)).not.toContain('restoring.json')
    const { api } = await restoredService(dataDir)
    for (const id of photoIds) {
      const { status } = await api.get(`/api/v1/events/${eventId}/photos/${id}/download`)
      expect(status).toBe(200)
    }
  })
})
