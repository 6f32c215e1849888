import { type FoundFile, filesIn } from '../../shared/uploads/dropped-files.ts'
import { handleOf } from './folder-handles.ts'

export type Chosen = { files: FoundFile[]; handles: FileSystemHandle[] }

/** Reads the DataTransfer before it returns, because its items are valid only during the event. */
export function takeDropped({ items, files }: DataTransfer): Promise<Chosen> {
  const ofFiles = [...items].filter(({ kind }) => kind === 'file')
  const entries = ofFiles.flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  const handles = Promise.all(ofFiles.map(handleOf))
  const plain = [...files].map((file) => ({ file, path: file.name }))
  const found = entries.length > 0 ? Promise.all(entries.map(filesIn)).then((all) => all.flat()) : plain
  return Promise.all([found, handles]).then(([files, some]) => ({
    files,
    handles: some.filter((handle) => handle !== null),
  }))
}

export function takeChosen(input: HTMLInputElement): Chosen {
  const files = [...(input.files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }))
  // Without this, selecting the same file again does not fire a change event.
  input.value = ''
  return { files, handles: [] }
}
