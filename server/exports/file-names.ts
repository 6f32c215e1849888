export type FileNaming = { isFull: boolean; rawExtension: string | null }

/** Returns `IMG_1234`, `IMG_1234.JPG` or `IMG_1234.CR3` for the camera's file name. */
export function formatFileName(sourceFilename: string, { isFull, rawExtension }: FileNaming): string {
  const [extension = ''] = /(?<=.)\.[^.\s]{1,16}$/u.exec(sourceFilename) ?? []
  const stem = sourceFilename.slice(0, sourceFilename.length - extension.length)
  if (!isFull) return stem
  return rawExtension === null ? sourceFilename : `${stem}.${rawExtension}`
}
