import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A name as it may stand in an address, its letters transliterated. The tables for it are loaded with the first name. */
export function slugOf(name: string): string {
  const { default: slugify } = require('@sindresorhus/slugify') as typeof import('@sindresorhus/slugify')
  return slugify(name, { decamelize: false })
}
