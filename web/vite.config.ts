import { build, defineConfig, type Plugin, type Rolldown } from 'vite'
import { compressed } from './compressed.ts'
import { typefaceFiles } from './typefaces.ts'

/**
 * Builds the service worker as one file. The service serves the folder `fixed/` at its root, so the worker is always at
 * `/gallery/marks-worker.js`.
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

// `npm run build` writes the gallery app to web/built.
export default defineConfig({
  root: import.meta.dirname,
  base: '/built/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  plugins: [workers, typefaceFiles, compressed],
  build: {
    outDir: 'built',
    manifest: 'manifest.json',
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['gallery/start.tsx'],
      // All modules that a page needs at the start are in one file, because each request costs a round trip.
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 1 },
            // The start contains the names of all later files, so the small modules that several parts share are in one
            // file. It has no QR codes, which are large and rare.
            { name: 'parts', minShareCount: 2, maxModuleSize: 2_500, test: /^(?!.*(link\.tsx|qr))/ },
          ],
        },
      },
    },
  },
})
