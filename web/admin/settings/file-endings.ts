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

/** As the service wants them, of what people write: `.MOV, *.png jpg` is `mov,png,jpg`. */
export const plainEndings = (written: string): string => namesIn(written).join(',')

/** What is no ending of a picture or a video that the service can take. */
export const unknownEndings = (written: string): string[] =>
  namesIn(written).filter((name) => !(Object.hasOwn(imageTypes, name) || videoEndings.includes(name)))
