import { RejectedXmp } from './rejected-xmp.ts'

export type XmpEncoding = { name: 'utf-8' | 'utf-16le' | 'utf-16be'; byteOrderMark: string }

/** Real sidecars have a few kilobytes; those with many masks have a few hundred. */
export const maxXmpBytes = 4 * 2 ** 20

/** Returns the text without byte order mark. Throws RejectedXmp if `encodeXmp` would not return the same bytes. */
export function decodeXmp(bytes: Uint8Array): { text: string; encoding: XmpEncoding } {
  if (bytes.length > maxXmpBytes) throw new RejectedXmp('size', 'The file is larger than 4 MB.')
  const name = detectEncoding(bytes)
  const decoded = decode(bytes, name)
  const byteOrderMark = decoded.startsWith('\ufeff') ? '\ufeff' : ''
  const text = decoded.slice(byteOrderMark.length)
  const encoding = { name, byteOrderMark }
  assertDeclared(text, name)
  if (!encodeXmp(text, encoding).equals(bytes)) throw wrongEncoding()
  return { text, encoding }
}

export function encodeXmp(text: string, { name, byteOrderMark }: XmpEncoding): Buffer {
  const whole = byteOrderMark + text
  if (name === 'utf-8') return Buffer.from(whole)
  const bytes = Buffer.from(whole, 'utf16le')
  return name === 'utf-16le' ? bytes : bytes.swap16()
}

/** Returns the size of `text` in units of a space: bytes, or pairs of bytes. */
export const countUnits = (text: string, { name }: XmpEncoding): number =>
  name === 'utf-8' ? Buffer.byteLength(text) : text.length

function detectEncoding([first, second]: Uint8Array): XmpEncoding['name'] {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be'
  return 'utf-8'
}

function decode(bytes: Uint8Array, name: XmpEncoding['name']): string {
  try {
    return new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw wrongEncoding()
  }
}

function assertDeclared(text: string, name: XmpEncoding['name']): void {
  const [, declared] = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(text.slice(0, 200)) ?? []
  if (declared === undefined) return
  const accepted: string[] = name === 'utf-8' ? ['utf-8', 'utf8', 'us-ascii'] : ['utf-16', name]
  if (!accepted.includes(declared.toLowerCase())) throw wrongEncoding()
}

const wrongEncoding = () => new RejectedXmp('encoding', 'The text is not in the encoding that the file declares.')
