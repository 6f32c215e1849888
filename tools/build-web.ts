import { join } from 'node:path'
import { isStale, root } from './is-stale.ts'
import { listPackages } from './packaging/bundled-packages.ts'
import { writeTypefacesIfStale } from './write-typefaces.ts'

/** The file that the build writes last. */
const manifest = join(root, 'web/built/admin/manifest.json')

const sources = [
  'web',
  'contract',
  'locales',
  'package-lock.json',
  'tsconfig.base.json',
  'tools/packaging/bundled-packages.ts',
  'tools/write-typefaces.ts',
]

/** Builds the web apps into `web/built`. */
export async function buildWeb({ emptyOutDir = true } = {}): Promise<void> {
  await writeTypefacesIfStale()
  const { build } = await import('vite')
  // Vitest sets NODE_ENV to `test`, which would produce a development build.
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    for (const config of ['web/vite.config.ts', 'web/admin/vite.config.ts']) {
      await build({ configFile: join(root, config), logLevel: 'warn', plugins: [listPackages], build: { emptyOutDir } })
    }
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
}

/** For tests. Old files stay, because a running service may still serve them. */
export async function buildWebIfStale(): Promise<void> {
  if (isStale(manifest, sources)) await buildWeb({ emptyOutDir: false })
}
