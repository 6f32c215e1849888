import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Returns a URL-safe, transliterated form of a name. The library is loaded with the first call. */
export function createSlug(name: string): string {
  const { default: slugify } = require('@sindresorhus/slugify') as typeof import('@sindresorhus/slugify')
  return slugify(name, { decamelize: false })
}
