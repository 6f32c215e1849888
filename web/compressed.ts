import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

/** Each file compressed beside itself, as it stands in the end, so that the server compresses nothing at a request. */
export const compressed: Plugin = {
  name: 'compressed',
  writeBundle({ dir = '' }, bundle) {
    for (const fileName of Object.keys(bundle).filter((name) => /\.(css|js|svg)$/.test(name))) {
      const file = join(dir, fileName)
      const bytes = readFileSync(file)
      writeFileSync(`${file}.br`, brotliCompressSync(bytes))
      writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
}
