import exifr from 'exifr'

type Options = NonNullable<Parameters<typeof exifr.parse>[1]> & object
/** What the types of exifr leave out. */
type Parser = { options: object; file: unknown; parse: () => Promise<Record<string, unknown> | undefined> }
type Reader = { read: () => Promise<void>; close: () => Promise<void> }

const Exifr = exifr.Exifr as unknown as new (options: Options) => Parser
const FileReader: new (path: string, options: object) => Reader = exifr.fileReaders.get('fs')

/**
 * Returns the tags of a file; none if it cannot be read. Pass the same object of options in all calls: exifr keeps what it
 * makes of each, and would fill the heap of a worker. Its own `parse` leaves a file open that it cannot parse.
 */
export async function parseExif(path: string, options: Options): Promise<Record<string, unknown>> {
  const parser = new Exifr(options)
  const file = new FileReader(path, parser.options)
  try {
    await file.read()
    parser.file = file
    return (await parser.parse()) ?? {}
  } catch {
    return {}
  } finally {
    await file.close()
  }
}
