import { join } from 'node:path'
import { isStale, root } from './is-stale.ts'

/** What is built last. */
const manifest = join(root, 'web/built/admin/manifest.json')

/** Everything that the built files are made of. */
const sources = ['web', 'contract', 'texts', 'package-lock.json', 'tsconfig.base.json']

/** Builds what browsers run, into `web/built`. Throws with what is wrong in a source. */
export async function buildWeb({ emptyOutDir = true } = {}): Promise<void> {
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
  if (isStale(manifest, sources)) await buildWeb({ emptyOutDir: false })
}
