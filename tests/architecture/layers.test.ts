import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

/** The layers of the server, lowest first. A module may import from itself and from lower layers. */
const layers = [
  ['platform'],
  ['access'],
  ['settings'],
  ['webhooks', 'archives', 'proofing', 'desk'],
  ['events'],
  ['photos', 'customers', 'people'],
  ['exports', 'live', 'uploads', 'imports', 'activity'],
  ['backups'],
  ['dashboard', 'health'],
  ['gallery'],
  ['migrations', 'commands', 'app.ts', 'create-app-context.ts', 'openapi'],
  ['main.ts', 'warm-up.ts'],
]

/** The command that starts the process imports the top layer when it runs. */
const exceptions = new Set(['commands/serve.ts -> main.ts'])

const layerOf = (path: string): number => {
  const module = path.split('/')[0] ?? ''
  return layers.findIndex((modules) => modules.includes(module))
}

const imports = (text: string): string[] =>
  [...text.matchAll(/(?:from |import )\(?'(\.[^']+)'/g)].flatMap(([, path]) => path ?? [])

describe('the layers of the server', () => {
  const files = sourceFiles('server')

  test('every file belongs to a layer', () => {
    expect(files.map((file) => relative('server', file)).filter((file) => layerOf(file) < 0)).toEqual([])
  })

  test('imports only lead to lower layers', () => {
    const climbing = files.flatMap((file) => {
      const from = relative('server', file)
      return imports(readFileSync(join(root, file), 'utf8'))
        .map((path) => relative('server', join(dirname(file), path)))
        .filter((to) => !to.startsWith('..'))
        .filter((to) => {
          const isSameRoom = to.split('/')[0] === from.split('/')[0]
          const isSameTopFloor = layerOf(from) >= layerOf('app.ts') && layerOf(to) === layerOf(from)
          return !isSameRoom && !isSameTopFloor && layerOf(to) >= layerOf(from)
        })
        .map((to) => `${from} -> ${to}`)
    })
    expect(climbing.filter((one) => !exceptions.has(one))).toEqual([])
  })

  test('the server imports nothing of web, tools, tests or bench', () => {
    const foreign = files.flatMap((file) =>
      imports(readFileSync(join(root, file), 'utf8'))
        .map((path) => join(dirname(file), path))
        .filter((to) => /^(web|tools|tests|bench)\//.test(to))
        .map((to) => `${file} -> ${to}`),
    )
    expect(foreign).toEqual([])
  })

  test('only config.ts and the launcher read the environment', () => {
    const readers = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'))
    expect(readers.sort()).toEqual([
      // They pass `process.env` to readConfig or to a child process.
      'server/commands/backup.ts',
      'server/commands/check-config.ts',
      'server/commands/migrate-database.ts',
      'server/commands/migrate-storage.ts',
      'server/commands/restore.ts',
      'server/commands/serve.ts',
      'server/commands/verify-backup.ts',
      'server/commands/with-app-context.ts',
      'server/platform/media/image-workers.ts',
    ])
  })
})
