import { build, defineConfig, type Plugin, type Rolldown } from 'vite'
import { compressed } from './compressed.ts'
import { typefaceFiles } from './typefaces.ts'

/**
 * Builds the service worker as one file, and the style sheet of all pages with a theme. The service serves the folder
 * `fixed/` at its root, so the worker is always at `/gallery/marks-worker.js`.
 */
const apart: Plugin = {
  name: 'apart',
  async generateBundle() {
    for (const file of await buildApart('gallery/marks/marks-worker.ts', 'iife')) {
      if (file.type !== 'chunk') continue
      this.emitFile({ type: 'asset', fileName: `fixed/gallery/${file.name}.js`, source: file.code })
    }
    for (const file of await buildApart('assets/gallery.css', 'es')) {
      if (file.type !== 'asset') continue
      this.emitFile({ type: 'asset', name: 'pages.css', originalFileName: 'assets/gallery.css', source: file.source })
    }
  },
}

async function buildApart(input: string, format: 'iife' | 'es') {
  const built = await build({
    configFile: false,
    root: import.meta.dirname,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'baseline-widely-available',
      modulePreload: { polyfill: false },
      rolldownOptions: { input, output: { format } },
    },
  })
  return (built as Rolldown.RolldownOutput).output
}

// `npm run build` writes the gallery app to web/built.
export default defineConfig({
  root: import.meta.dirname,
  base: '/built/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  plugins: [apart, typefaceFiles, compressed],
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
