import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { temporaryFolder } from '../run/temporary-folder.ts'

export async function createFolderOnDisk(name: string, files: Record<string, Uint8Array>): Promise<string> {
  const folder = join(await temporaryFolder(), name)
  for (const [path, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes)
  }
  return folder
}

export async function createFilesOnDisk(files: Record<string, Uint8Array>): Promise<string[]> {
  const folder = await createFolderOnDisk('Files', files)
  return Object.keys(files).map((name) => join(folder, name))
}

export async function dropFiles(page: Page, paths: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: paths, dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 300, data })
  }
  await session.detach()
}
