import type { FoundFile } from '../../shared/uploads/dropped-files.ts'

/** Parts of the File System Access API that the DOM types lack. */
type WithPermission = FileSystemHandle & {
  requestPermission?: (wanted: { mode: 'read' }) => Promise<PermissionState>
}
type WithPicker = typeof globalThis & {
  showDirectoryPicker?: (options: { id: string }) => Promise<FileSystemDirectoryHandle>
}
type WithHandle = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }
type IterableDirectoryHandle = FileSystemDirectoryHandle & { values: () => AsyncIterable<FileSystemHandle> }

/** Returns null if the browser does not support folder handles, the operator cancels or the browser denies access. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | null> {
  return (await (globalThis as WithPicker).showDirectoryPicker?.({ id: 'uploads' }).catch(() => null)) ?? null
}

export const canPickFolders = (): boolean => 'showDirectoryPicker' in globalThis

/** Call it during the drop event. Resolves to null if the browser does not support handles or returns none. */
export const getHandle = (item: DataTransferItem): Promise<FileSystemHandle | null> =>
  (item as WithHandle).getAsFileSystemHandle?.().catch(() => null) ?? Promise.resolve(null)

export async function readHandleFiles(handle: FileSystemHandle, parentPath = ''): Promise<FoundFile[]> {
  const path = parentPath + handle.name
  if (handle.kind === 'file') {
    const file = await (handle as FileSystemFileHandle).getFile().catch(() => null)
    return file ? [{ file, path }] : []
  }
  const found: FoundFile[] = []
  for await (const inner of (handle as IterableDirectoryHandle).values())
    found.push(...(await readHandleFiles(inner, `${path}/`)))
  return found
}

/** Reads the files of stored handles. The browser may ask the operator for permission. */
export async function readStoredHandleFiles(handles: readonly FileSystemHandle[]): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  for (const handle of handles) {
    const permission = await (handle as WithPermission).requestPermission?.({ mode: 'read' }).catch(() => 'denied')
    if (permission !== 'denied') found.push(...(await readHandleFiles(handle).catch(() => [])))
  }
  return found
}
