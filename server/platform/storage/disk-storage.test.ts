import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import promises, { mkdir, readdir, readFile, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../tests/support/run/temporary-folder.ts'
import { diskStorageForTest, listKeys, storeFile } from '../../../tests/support/storage/test-storage.ts'
import { days } from '../time/clock.ts'
import { storageSuite } from './storage.suite.ts'
import { FileMissing, type Storage, StorageFull } from './storage.ts'

storageSuite(async () => diskStorageForTest(await temporaryFolder()), { partBytes: 100_000 })

async function setAge(path: string, ageMs: number): Promise<void> {
  const time = new Date(Date.now() - ageMs)
  await utimes(path, time, time)
}

async function leaveStaged(root: string, folder: string): Promise<string> {
  const path = join(root, 'staging', folder)
  await mkdir(path, { recursive: true })
  await writeFile(join(path, 'half-written'), 'a')
  return path
}

async function startStagingProcess(root: string): Promise<{ child: ChildProcess; stagedPath: string }> {
  const module = new URL('./disk-storage.ts', import.meta.url).href
  const script = `
    const { createDiskStorage } = await import(${JSON.stringify(module)})
    const path = await createDiskStorage(process.argv[1]).stage()
    await (await import('node:fs/promises')).writeFile(path, 'a')
    console.log(path)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [path] = await once(child.stdout, 'data')
  return { child, stagedPath: String(path).trim() }
}

test('committing moves the file and copies nothing', async () => {
  const root = await temporaryFolder()
  const storage = diskStorageForTest(root)
  const stagedPath = await storage.stage()
  await writeFile(stagedPath, 'a')
  const { ino } = await stat(stagedPath)
  await storage.commit([{ stagedPath, key: 'events/7/a.jpg' }])
  expect((await stat(join(root, 'files/events/7/a.jpg'))).ino).toBe(ino)
  expect(await readdir(join(root, 'staging'), { recursive: true })).toHaveLength(1)
})

async function storeInParts(storage: Storage, key: string): Promise<void> {
  const part = { index: 0, offset: 0, sizeBytes: 3 }
  await storage.multipart.write(key, part, Readable.from([Buffer.from('abc')]))
}

test('a file in parts is committed without a copy, also after a restart', async () => {
  const root = await temporaryFolder()
  await storeInParts(diskStorageForTest(root), 'events/7/a')
  const { ino } = await stat(join(root, 'parted/events/7/a'))
  const storage = diskStorageForTest(root)
  expect(await storage.clearLeftovers()).toBe(0)
  const key = 'events/7/originals/a.jpg'
  await storage.multipart.withLocalFile('events/7/a', { sizeBytes: 3 }, (stagedPath) =>
    storage.commit([{ stagedPath, key }]),
  )
  expect((await stat(join(root, 'files', key))).ino).toBe(ino)
})

test('a file in parts is missing after the media have moved here from a bucket', async () => {
  const storage = diskStorageForTest(await temporaryFolder())
  const handle = 'events/7/originals/a.jpg?uploadId=abc'
  await expect(storeInParts(storage, handle)).rejects.toBeInstanceOf(FileMissing)
  const borrowing = storage.multipart.withLocalFile(handle, { sizeBytes: 3 }, async () => 'lent')
  await expect(borrowing).rejects.toBeInstanceOf(FileMissing)
  await storage.multipart.remove(handle)
  await storage.multipart.discard(handle)
})

async function storageWithoutLinks() {
  const storage = diskStorageForTest(await temporaryFolder())
  await storeInParts(storage, 'events/7/a')
  const { link } = promises
  promises.link = () => Promise.reject(Object.assign(new Error('not here'), { code: 'EPERM' }))
  syncBuiltinESMExports()
  onTestFinished(() => {
    promises.link = link
    syncBuiltinESMExports()
  })
  return storage
}

test('without support for hard links a file in parts is moved, and moved back when it was not committed', async () => {
  const storage = await storageWithoutLinks()
  const failing = storage.multipart.withLocalFile('events/7/a', { sizeBytes: 3 }, () =>
    Promise.reject(new Error('refused')),
  )
  await expect(failing).rejects.toThrow('refused')
  expect(await storage.multipart.withLocalFile('events/7/a', { sizeBytes: 3 }, (path) => readFile(path, 'utf8'))).toBe(
    'abc',
  )
  const key = 'events/7/originals/a.jpg'
  await storage.multipart.withLocalFile('events/7/a', { sizeBytes: 3 }, (stagedPath) =>
    storage.commit([{ stagedPath, key }]),
  )
  expect(await storage.readSmallFile(key, 3)).toEqual(Buffer.from('abc'))
})

test('removing all of a prefix continues while others write there, until they stop', async () => {
  const root = await temporaryFolder()
  const storage = diskStorageForTest(root)
  const folder = join(root, 'files/events/7/originals')
  for (let round = 0; round < 5; round++) {
    const isDone = AbortSignal.timeout(60)
    const write = async (writer: number) => {
      for (let index = 0; !isDone.aborted; index++) {
        const made = mkdir(folder, { recursive: true })
        await made.then(() => writeFile(join(folder, `${writer}-${index}`), '')).catch(() => undefined)
      }
    }
    const writing = [1, 2, 3, 4].map(write)
    await storage.removePrefix('events/7')
    await Promise.all(writing)
  }
  await storage.removePrefix('events/7')
  expect(await readdir(join(root, 'files/events'))).toEqual([])
})

test('removing empty folders includes those of incoming files, and leaves each that contains a file', async () => {
  const root = await temporaryFolder()
  const storage = diskStorageForTest(root)
  expect(await storage.listFolders('events')).toEqual([])
  for (const key of ['events/7/originals/a.jpg', 'events/7/stills/a.jpg', 'events/8/originals/b.jpg']) {
    await storeFile(storage, key, Buffer.from(key))
  }
  await storeInParts(storage, 'events/9/a')
  expect((await storage.listFolders('events')).sort()).toEqual(['7', '8', '9'])
  for (const key of ['events/7/originals/a.jpg', 'events/8/originals/b.jpg']) await storage.remove(key)
  await storage.multipart.remove('events/9/a')
  for (const id of [7, 8, 9, 10]) await storage.removeEmptyFolders(`events/${id}`)
  expect(await storage.listFolders('events')).toEqual(['7'])
  expect(await readdir(join(root, 'files/events/7'))).toEqual(['stills'])
  expect(await readdir(join(root, 'parted/events'))).toEqual([])
  await storeFile(storage, 'events/8/originals/b.jpg', Buffer.from('b'))
  await storeInParts(storage, 'events/9/a')
  expect((await storage.listFolders('events')).sort()).toEqual(['7', '8', '9'])
})

test('a quarantined file is under its key in lost+found and is deleted after its days', async () => {
  const root = await temporaryFolder()
  const storage = diskStorageForTest(root)
  for (const key of ['events/7/a.jpg', 'events/7/b.jpg']) await storeFile(storage, key, Buffer.from(key))
  await setAge(join(root, 'files/events/7/a.jpg'), days(400))
  await storage.quarantine('events/7/a.jpg')
  await storage.quarantine('events/7/b.jpg')
  expect(await storage.pruneQuarantine(30)).toBe(2)
  await setAge(join(root, 'lost+found/events/7/a.jpg'), days(31))
  await setAge(join(root, 'lost+found/events/7/b.jpg'), days(29))
  expect(await storage.pruneQuarantine(30)).toBe(1)
  expect(await readFile(join(root, 'lost+found/events/7/b.jpg'), 'utf8')).toBe('events/7/b.jpg')
})

test('clearing the staging folders of ended processes deletes and counts their files and no others, and after a day those of another host', async () => {
  const root = await temporaryFolder()
  const storage = diskStorageForTest(root)
  await storeFile(storage, 'events/7/a.jpg', Buffer.from('a'))
  const folder = await leaveStaged(root, 'another-host~1~12345')
  // No process id is this high. The second name has the id of this process, but another start time.
  await leaveStaged(root, `${hostname()}~999999999~12345`)
  await leaveStaged(root, `${hostname()}~${process.pid}~1`)
  expect(await storage.clearLeftovers()).toBe(2)
  expect(await storage.clearLeftovers()).toBe(0)
  await setAge(folder, days(1) + 60_000)
  await writeFile(join(root, 'staging/.DS_Store'), 'a')
  await setAge(join(root, 'staging/.DS_Store'), days(2))
  expect(await storage.clearLeftovers()).toBe(2)
  expect(await listKeys(storage, '')).toEqual(['events/7/a.jpg'])
})

test('clearing the staging folders of ended processes leaves the files of a running process, until it ends', async () => {
  const root = await temporaryFolder()
  const storage = diskStorageForTest(root)
  const own = await storage.stage()
  await writeFile(own, 'a')
  const { child, stagedPath } = await startStagingProcess(root)
  expect(await storage.clearLeftovers()).toBe(0)
  expect(await readFile(own, 'utf8')).toBe('a')
  expect(await readFile(stagedPath, 'utf8')).toBe('a')
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await storage.clearLeftovers()).toBe(1)
  expect(await readFile(own, 'utf8')).toBe('a')
})

test('1 GB or 2 % of the disk always stay free', async () => {
  const root = await temporaryFolder()
  const { bavail, blocks, bsize } = await statfs(root)
  const staysFree = Math.min(2 ** 30, blocks * bsize * 0.02)
  // A margin of half the reserved bytes allows for other writes during the test.
  const storage = diskStorageForTest(root)
  await storage.ensureSpaceFor(bavail * bsize - staysFree * 1.5)
  await expect(storage.ensureSpaceFor(bavail * bsize - staysFree * 0.5)).rejects.toBeInstanceOf(StorageFull)
})

test('a deleted folder fails the check', async () => {
  const root = await temporaryFolder()
  const storage = diskStorageForTest(join(root, 'media'))
  await storage.stage()
  await storage.check()
  await rm(join(root, 'media'), { recursive: true })
  await expect(storage.check()).rejects.toThrow()
})
