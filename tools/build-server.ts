import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import type { Plugin } from 'rolldown'
import { isStale, root } from './is-stale.ts'
import { listPackages } from './packaging/bundled-packages.ts'

const builtFolder = join(root, 'server/built')

/** Entry points: files that are started by their path, such as threads and image workers. */
const entries: Record<string, string> = {
  'run-command': 'server/commands/run-command.ts',
  'sqlite-thread': 'server/platform/database/sqlite-thread.ts',
  'digest-thread': 'server/platform/storage/digest-thread.ts',
  'image-worker': 'server/platform/media/image-worker.ts',
  'video-worker': 'server/platform/media/video/video-worker.ts',
  'warm-up': 'server/warm-up.ts',
}

/**
 * Packages that are not bundled, because they have native code or static files, or are loaded by `require`. `pg` loads
 * `pg-native` only if `pg-native` is installed.
 */
export const external = [
  ...[/^@fastify\/swagger-ui$/, /^@node-rs\//, '@sindresorhus/slugify'],
  ...['better-sqlite3', 'pg-native', 'sharp'],
]

const sources = [
  'server',
  'contract',
  'locales',
  'clients/typescript/source',
  'package-lock.json',
  'tools/build-server.ts',
  'tools/packaging/bundled-packages.ts',
]

/** Bundles the server into `server/built`, which starts faster than the sources. Throws if a source has an error. */
export async function buildServer({ emptyOutDir = true } = {}): Promise<void> {
  const { rolldown } = await import('rolldown')
  const bundle = await rolldown({
    input: entries,
    cwd: root,
    platform: 'node',
    external,
    plugins: [keepUrls, withoutFacade, listPackages],
  })
  if (emptyOutDir) await rm(builtFolder, { recursive: true, force: true })
  await bundle.write({ dir: builtFolder, entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  await bundle.close()
  await writeCommit()
}

/** For `doctor`. Versions of a checkout between two releases have the same number. */
async function writeCommit(): Promise<void> {
  // A package or an image is built without git or without the history.
  const { stdout } = await promisify(execFile)('git', ['rev-parse', '--short', 'HEAD'], { cwd: root }).catch(() => ({
    stdout: '',
  }))
  await writeFile(join(builtFolder, 'commit'), stdout.trim())
}

/** For tests. */
export async function buildServerIfStale(): Promise<void> {
  if (isServerStale()) await buildServer({ emptyOutDir: false })
}

/** Removes an outdated build, so that the service runs from its sources. Used by installations that cannot build. */
export async function removeStaleServer(): Promise<void> {
  if (isServerStale()) await rm(builtFolder, { recursive: true, force: true })
}

const isServerStale = (): boolean => isStale(join(builtFolder, 'run-command.js'), sources)

/** Matches the URL of a source file that is started by its path, or the URL of the module itself. */
const urls = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)|import\.meta\.url/g

/**
 * An import of `node:http` reads all its exports. One of them loads the implementation of fetch and WebSocket, which takes
 * a tenth of the start and some megabytes.
 */
const withoutFacade: Plugin = {
  name: 'without-facade',
  resolveId: {
    filter: { id: /^node:http$/ },
    handler: (_source, _importer, { kind }) => (kind === 'import-statement' ? httpModule : null),
  },
  load: {
    filter: { id: /^virtual:http$/ },
    handler: () =>
      `const http = process.getBuiltinModule('node:http')
      export const { ${httpNames} } = http
      export default http`,
  },
}

const httpModule = 'virtual:http'
const httpNames = 'Agent, createServer, get, METHODS, request, Server, STATUS_CODES'

/** Makes threads and workers start from the built files. Fonts, texts and pages are still read next to the sources. */
const keepUrls: Plugin = {
  name: 'keep-urls',
  transform: {
    filter: { id: /\/server\/.*\.ts$/, code: 'import.meta.url' },
    handler(code, id) {
      const source = JSON.stringify(relative(builtFolder, id))
      return code.replaceAll(urls, (_url, started?: string) => {
        if (started === undefined) return `new URL(${source}, import.meta.url).href`
        if (!(started in entries)) throw new Error(`${id} starts ${started}.ts: add it to the entries of the build`)
        return `new URL('./${started}.js', import.meta.url)`
      })
    },
  },
}
