import { join } from 'node:path'
import { defineConfig } from 'vite'
import { compressed } from '../compressed.ts'

// `npm run build`: the app of operators, into web/built/admin.
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
    rolldownOptions: {
      input: ['admin/start.tsx'],
      // "use client" is for servers that render React: here it is no news.
      onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 2 },
            // What many pages share comes in one file: otherwise a page would load two dozen small ones.
            { name: 'shared', minShareCount: 4, priority: 1 },
          ],
        },
      },
    },
  },
})
