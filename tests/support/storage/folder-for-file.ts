import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Creates an empty folder that is removed after the last test of the file. */
export async function folderForFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'proofroom-test-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}
