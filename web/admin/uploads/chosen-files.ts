import { type FoundFile, listFiles } from '../../shared/uploads/dropped-files.ts'
import { getHandle } from './folder-handles.ts'

export type ChosenFiles = { files: FoundFile[]; handles: FileSystemHandle[] }

/** Reads the items and files before it returns, because they are valid only during the drop event. */
export function readDropped({ items, files }: DataTransfer): Promise<ChosenFiles> {
  const ofFiles = [...items].filter(({ kind }) => kind === 'file')
  const entries = ofFiles.flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  const handles = Promise.all(ofFiles.map(getHandle))
  const plain = [...files].map((file) => ({ file, path: file.name }))
  const found = entries.length > 0 ? Promise.all(entries.map(listFiles)).then((all) => all.flat()) : plain
  return Promise.all([found, handles]).then(([files, some]) => ({
    files,
    handles: some.filter((handle) => handle !== null),
  }))
}

export function readSelected(input: HTMLInputElement): ChosenFiles {
  const files = [...(input.files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }))
  // Without this, selecting the same file again does not fire a change event.
  input.value = ''
  return { files, handles: [] }
}
