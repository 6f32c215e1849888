import { writeFile } from 'node:fs/promises'
import { onTestFinished } from 'vitest'
import { createDiskStorage } from '../../../server/platform/storage/disk-storage.ts'
import type { Storage } from '../../../server/platform/storage/storage.ts'

export function diskStorageForTest(root: string): Storage {
  const storage = createDiskStorage(root)
  onTestFinished(storage.close)
  return storage
}

export async function storeFile(storage: Storage, key: string, bytes: Buffer): Promise<void> {
  const stagedPath = await storage.stage()
  await writeFile(stagedPath, bytes, { flush: true })
  await storage.commit([{ stagedPath, key }])
}

export async function listKeys(storage: Storage, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storage.list(prefix)) keys.push(key)
  return keys.sort()
}
