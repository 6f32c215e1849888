import type { FoundFile } from '../../shared/uploads/dropped-files.ts'

/** Parts of the File System Access API that the DOM types lack. */
type WithPermission = FileSystemHandle & {
  requestPermission?: (wanted: { mode: 'read' }) => Promise<PermissionState>
}
type WithPicker = typeof globalThis & {
  showDirectoryPicker?: (options: { id: string }) => Promise<FileSystemDirectoryHandle>
}
type WithHandle = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> }
type Listed = FileSystemDirectoryHandle & { values: () => AsyncIterable<FileSystemHandle> }

/** Returns null if the browser does not support it or the operator cancels. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | null> {
  return (await (globalThis as WithPicker).showDirectoryPicker?.({ id: 'uploads' }).catch(() => null)) ?? null
}

export const canPickFolders = (): boolean => 'showDirectoryPicker' in globalThis

/** Works only during the drop event. Resolves to null if the browser does not support it. */
export const handleOf = (item: DataTransferItem): Promise<FileSystemHandle | null> =>
  (item as WithHandle).getAsFileSystemHandle?.().catch(() => null) ?? Promise.resolve(null)

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

/** Reads the files of stored handles. The browser may ask the operator for permission. */
export async function filesInKept(handles: readonly FileSystemHandle[]): Promise<FoundFile[]> {
  const found: FoundFile[] = []
  for (const handle of handles) {
    const answer = await (handle as WithPermission).requestPermission?.({ mode: 'read' }).catch(() => 'denied')
    if (answer !== 'denied') found.push(...(await filesInHandle(handle).catch(() => [])))
  }
  return found
}
