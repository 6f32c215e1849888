import { imageTypes, videoExtensions } from '../../shared/uploads/upload-file-rules.ts'

const parseExtensions = (input: string): string[] => [
  ...new Set(
    input
      .toLowerCase()
      .split(/[\s,;]+/)
      .map((name) => name.replace(/^\*?\.+/, ''))
      .filter(Boolean),
  ),
]

/** Normalizes typed file extensions: `.MOV, *.png jpg` gives `mov,png,jpg`. */
export const normalizeExtensions = (input: string): string => parseExtensions(input).join(',')

export const findUnknownExtensions = (input: string): string[] =>
  parseExtensions(input).filter((name) => !(Object.hasOwn(imageTypes, name) || videoExtensions.includes(name)))
