/** `npm run build`, and after `npm ci`: what browsers run, into web/built. Without the developers' packages it builds nothing. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** What is built last. */
const manifest = join(root, 'web/built/admin/manifest.json')

/** Everything that the built files are made of. */
const sources = ['web', 'contract', 'texts', 'package-lock.json', 'tsconfig.base.json']

if (import.meta.main) {
  const isForDevelopers = existsSync(join(root, 'node_modules/vite'))
  if (isForDevelopers) await buildWeb()
  else console.log('Vite is not installed: web/built stays as it is.')
}

/** Throws with what is wrong in a source. */
async function buildWeb({ emptyOutDir = true } = {}): Promise<void> {
  const { build } = await import('vite')
  // A run of tests says that it is one, and would get what developers look at.
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    for (const config of ['web/vite.config.ts', 'web/admin/vite.config.ts']) {
      await build({ configFile: join(root, config), logLevel: 'warn', build: { emptyOutDir } })
    }
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}

/**
 * For tests: builds where a source is newer than what was built of it. The files of before stay, which a service that
 * runs meanwhile may still be handing out.
 */
export async function buildWebWhenStale(): Promise<void> {
  const builtAt = changedAt(manifest)
  const isStale = sources.flatMap((source) => filesIn(join(root, source))).some((file) => changedAt(file) > builtAt)
  if (isStale) await buildWeb({ emptyOutDir: false })
}

const changedAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(join(root, 'web/built/')))
}
