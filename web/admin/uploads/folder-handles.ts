import type { FoundFile } from '../../shared/uploads/dropped-files.ts'

/** What browsers have that know folders as handles, and the DOM's types do not list yet. */
type WithPermission = FileSystemHandle & {
  requestPermission?: (wanted: { mode: 'read' }) => Promise<PermissionState>
}
type WithPicker = typeof globalThis & {
  showDirectoryPicker?: (options: { id: string }) => Promise<FileSystemDirectoryHandle>
}
type WithHandle = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }
type Listed = FileSystemDirectoryHandle & { values: () => AsyncIterable<FileSystemHandle> }

/** Null where there is none, or the operator closed the dialog. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | null> {
  return (await (globalThis as WithPicker).showDirectoryPicker?.({ id: 'uploads' }).catch(() => null)) ?? null
}

export const canPickFolders = (): boolean => 'showDirectoryPicker' in globalThis

/** Has to be asked for while the drop lasts; null where the browser has none. */
export const handleOf = (item: DataTransferItem): Promise<FileSystemHandle | null> =>
  (item as WithHandle).getAsFileSystemHandle?.().catch(() => null) ?? Promise.resolve(null)

/** All in a folder and in those within; nothing of what may not be read. */
export async function filesInHandle(handle: FileSystemHandle, above = ''): Promise<FoundFile[]> {
  const path = above + handle.name
  if (handle.kind === 'file') {
    const file = await (handle as FileSystemFileHandle).getFile().catch(() => null)
    return file ? [{ file, path }] : []
  }
  const found: FoundFile[] = []
  for await (const inner of (handle as Listed).values()) found.push(...(await filesInHandle(inner, `${path}/`)))
  return found
}

/** Those of handles kept from before. The browser may ask the operator whether they may be read. */
export async function filesInKept(handles: readonly FileSystemHandle[]): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  for (const handle of handles) {
    const answer = await (handle as WithPermission).requestPermission?.({ mode: 'read' }).catch(() => 'denied')
    if (answer !== 'denied') found.push(...(await filesInHandle(handle).catch(() => [])))
  }
  return found
}
