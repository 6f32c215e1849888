import { join } from 'node:path'
import { defineConfig } from 'vite'
import { compressed } from '../compressed.ts'

// `npm run build` writes the admin app to web/built/admin.
export default defineConfig({
  root: join(import.meta.dirname, '..'),
  base: '/built/admin/',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'react', development: false } },
  plugins: [compressed],
  build: {
    outDir: 'built/admin',
    manifest: 'manifest.json',
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    // The samples of typefaces load only where they are shown.
    assetsInlineLimit: (file) => (file.endsWith('.woff2') ? false : undefined),
    rolldownOptions: {
      input: ['admin/start.tsx'],
      // Drops warnings about "use client", which matters only to servers that render React.
      onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 2 },
            // Modules that many pages share are in one file. Otherwise a page would load two dozen small files.
            {
              name: 'shared',
              test: /^(?!.*(admin.(events.(actions|annotations-offer|mail|fields)|feedback.live)|contract.event-features))/,
              minShareCount: 4,
              priority: 1,
            },
            // The same for what only pages about events or photos share.
            {
              name: 'events',
              test: /admin.events.(actions|annotations-offer|mail|fields)|contract.event-features/,
              minShareCount: 2,
            },
            {
              name: 'photos',
              test: /admin.(photos.(grid.use-placement|marks.color-dot|model|viewer.(picture-marks|earlier-files)|actions.download-photos)|components.keys-dialog)|shared.thumb-hash-url/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
})
