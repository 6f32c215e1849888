import { writeFile } from 'node:fs/promises'
import type { Storage } from '../../server/platform/storage/storage.ts'

/** Brings a file under its key the way the service does. */
export async function store(storage: Storage, key: string, bytes: Buffer): Promise<void> {
  const stagedPath = await storage.stage()
  await writeFile(stagedPath, bytes)
  await storage.sync(stagedPath)
  await storage.commit([{ stagedPath, key }])
}

export async function keysIn(storage: Storage, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of storage.list(prefix)) keys.push(key)
  return keys.sort()
}
