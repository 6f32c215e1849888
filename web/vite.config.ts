import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build, defineConfig, type Plugin, type Rolldown } from 'vite'

/** Each file compressed beside itself, as it stands in the end, so that the server compresses nothing at a request. */
const compressed: Plugin = {
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

/**
 * A worker is one file, whose address stays and lies where its pages do: the service serves what is in `fixed/` from its
 * root.
 */
const workers: Plugin = {
  name: 'workers',
  async generateBundle() {
    const built = await build({
      configFile: false,
      root: import.meta.dirname,
      logLevel: 'warn',
      build: {
        write: false,
        target: 'baseline-widely-available',
        modulePreload: { polyfill: false },
        rolldownOptions: { input: 'gallery/marks/marks-worker.ts', output: { format: 'iife' } },
      },
    })
    for (const file of (built as Rolldown.RolldownOutput).output) {
      if (file.type !== 'chunk') continue
      this.emitFile({ type: 'asset', fileName: `fixed/gallery/${file.name}.js`, source: file.code })
    }
  },
}

// `npm run build`: what browsers run, into web/built.
export default defineConfig({
  root: import.meta.dirname,
  base: '/built/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  plugins: [workers, compressed],
  build: {
    outDir: 'built',
    manifest: 'manifest.json',
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['gallery/start.tsx'],
      // What a page needs from the start comes in one file: each request would cost a slow line its own way there and back.
      output: { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'] }] } },
    },
  },
})
