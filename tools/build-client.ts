import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isStale, root } from './is-stale.ts'

const folder = join(root, 'clients/typescript')
const sources = [
  'clients/typescript/source',
  'clients/typescript/tsconfig.json',
  'contract',
  'server',
  'tools/build-client.ts',
]
const run = (...command: string[]) => promisify(execFile)(process.execPath, command, { cwd: root })

/** Builds proofroom-client into `clients/typescript/dist`: one module, and its types. Throws if a source has an error. */
export async function buildClient(): Promise<void> {
  const { rolldown } = await import('rolldown')
  await run('tools/write-admin-api.ts')
  const dist = join(folder, 'dist')
  await rm(dist, { recursive: true, force: true })
  const bundle = await rolldown({ input: join(folder, 'source/index.ts'), external: ['openapi-fetch'] })
  await bundle.write({ file: join(dist, 'index.js') })
  await bundle.close()
  const options = ['--project', folder, '--outDir', dist, '--composite', 'false', '--declaration']
  await run('node_modules/typescript-native/bin/tsc', ...options)
}

/** For tests. */
export async function buildClientIfStale(): Promise<void> {
  if (isStale(join(folder, 'dist/index.d.ts'), sources)) await buildClient()
}

if (import.meta.main) await buildClient()
