import { build, defineConfig, type Plugin, type Rolldown } from 'vite'
import { compressed } from './compressed.ts'

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

// `npm run build`: the app of guests, into web/built.
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
