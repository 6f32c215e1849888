/** Parses the file name of a `Content-Disposition` header as this service writes it (RFC 6266). */
export function parseFilename(disposition: string | null): string | null {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition ?? '') ?? []
  if (encoded !== undefined) return decodeURIComponent(encoded)
  const [, quoted, plain] = /filename=(?:"((?:\\.|[^"])*)"|([^;]+))/.exec(disposition ?? '') ?? []
  return quoted?.replace(/\\(.)/g, '$1') ?? plain ?? null
}
