import { rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Plugin } from 'rolldown'
import { isOutdated, root } from './built.ts'

const builtFolder = join(root, 'server/built')

/** What is started by its path: the program, its threads, its image workers, and what loads them all once. */
const entries = {
  'run-command': 'server/commands/run-command.ts',
  'sqlite-thread': 'server/platform/database/sqlite-thread.ts',
  'digest-thread': 'server/platform/storage/digest-thread.ts',
  'image-worker': 'server/platform/media/image-worker.ts',
  'warm-up': 'server/warm-up.ts',
}

/** Packages that bring programs, libraries for the platform, or files to hand out; and one that only `pg` asks for. */
const external = [
  /^@ffmpeg-installer\//,
  /^@fastify\/swagger-ui$/,
  /^@node-rs\//,
  'better-sqlite3',
  'pg-native',
  'sharp',
]

/** Everything that the built files are made of. */
const sources = ['server', 'contract', 'texts', 'package-lock.json', 'tools/build-server.ts']

/** Builds the server into `server/built`: few files, which Node loads faster than its sources. Throws with what is wrong. */
export async function buildServer({ emptyOutDir = true } = {}): Promise<void> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({ input: entries, cwd: root, platform: 'node', external, plugins: [keepAddresses] })
  if (emptyOutDir) await rm(builtFolder, { recursive: true, force: true })
  await bundle.write({ dir: builtFolder, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
}

/** For tests: as `buildWebWhenStale`. */
export async function buildServerWhenStale(): Promise<void> {
  if (isOutdated(join(builtFolder, 'run-command.js'), sources)) await buildServer({ emptyOutDir: false })
}

/**
 * A module goes on to find fonts, texts and pages beside its source, and threads and workers beside itself: whatever is
 * built lies in one folder.
 */
const keepAddresses: Plugin = {
  name: 'keep-addresses',
  transform: {
    filter: { id: /\/server\/.*\.ts$/, code: 'import.meta.url' },
    handler(code, id) {
      const source = relative(builtFolder, id)
      return code
        .replaceAll(/new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g, "new URL('./$1.js', builtAt)")
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(source)}, import.meta.url).href`)
        .replaceAll('builtAt', 'import.meta.url')
    },
  },
}
