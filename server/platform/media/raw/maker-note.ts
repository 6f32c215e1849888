import type { Piece } from '../location/edited-file.ts'
import { type RawDirectory, rawTags, readDirectory } from './raw-directories.ts'
import type { RawSource } from './raw-source.ts'

/**
 * A form of maker notes. Numbers count bytes from the start of the note: where the byte order and the directory are, and the
 * base of offsets (null: the start of the file). `pointer` is the tag of the sub-directory that has the preview.
 */
type NoteForm = {
  name: string
  order: number | null
  directory: number
  base: number | null
  pointer: number | null
  offsetTag: number
  bytesTag: number
}

const olympus = { pointer: 0x2020, offsetTag: 0x0101, bytesTag: 0x0102 }
const pentax = { pointer: null, offsetTag: 0x0004, bytesTag: 0x0003 }

const forms: NoteForm[] = [
  { name: 'Nikon\0\x02', order: 10, directory: 18, base: 10, pointer: 0x0011, offsetTag: 0x0201, bytesTag: 0x0202 },
  { name: 'OLYMPUS\0', order: 8, directory: 12, base: 0, ...olympus },
  { name: 'OM SYSTEM\0', order: 12, directory: 16, base: 0, ...olympus },
  { name: 'OLYMP\0', order: null, directory: 8, base: null, ...olympus },
  { name: 'AOC\0', order: 4, directory: 6, base: null, ...pentax },
  { name: 'PENTAX \0', order: 8, directory: 10, base: 0, ...pentax },
  { name: 'RICOH\0', order: 6, directory: 8, base: 0, ...pentax },
]

/** Returns the place of the preview that the first maker note names, or null. */
export async function findNotePreview(source: RawSource, directories: readonly RawDirectory[]): Promise<Piece | null> {
  const outer = directories.find((directory) => directory.entry(rawTags.makerNote))
  const note = outer?.entry(rawTags.makerNote)?.value
  if (!outer || !note) return null
  const head = (await source.read(note.at, 20)).toString('latin1')
  const form = forms.find(({ name }) => head.startsWith(name))
  if (!form) return null
  const order = form.order === null ? '' : head.slice(form.order, form.order + 2)
  const isLittleNote = order === 'II' || (order !== 'MM' && outer.isLittle)
  const base = form.base === null ? 0 : note.at + form.base
  // Previews may be after the note.
  const block = { at: base, length: source.sizeBytes - base }
  let { directory } = await readDirectory(source, block, note.at + form.directory - base, isLittleNote)
  if (form.pointer !== null) {
    const pointer = directory.entry(form.pointer)
    if (!pointer) return null
    ;({ directory } = await readDirectory(source, block, pointer.offset, isLittleNote))
  }
  const [offset, length] = [directory.number(form.offsetTag), directory.number(form.bytesTag)]
  return offset !== null && length !== null ? { at: base + offset, length } : null
}
