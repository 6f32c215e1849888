import { imageTypes, videoEndings } from '../../shared/uploads/upload-file-rules.ts'

const namesIn = (written: string): string[] => [
  ...new Set(
    written
      .toLowerCase()
      .split(/[\s,;]+/)
      .map((name) => name.replace(/^\*?\.+/, ''))
      .filter(Boolean),
  ),
]

/** Normalizes typed file extensions: `.MOV, *.png jpg` gives `mov,png,jpg`. */
export const plainEndings = (written: string): string => namesIn(written).join(',')

export const unknownEndings = (written: string): string[] =>
  namesIn(written).filter((name) => !(Object.hasOwn(imageTypes, name) || videoEndings.includes(name)))
