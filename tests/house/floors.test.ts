import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, sourceFiles } from './source-files.ts'

/** The floors of the server, lowest first. A room may import from its own floor's room and from lower floors. */
const floors = [
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

/** The command that starts the process is the one door from a lower floor to the top; it opens it when it is used. */
const exceptions = new Set(['commands/serve.ts -> main.ts'])

const floorOf = (path: string): number => {
  const room = path.split('/')[0] ?? ''
  return floors.findIndex((rooms) => rooms.includes(room))
}

const imports = (text: string): string[] =>
  [...text.matchAll(/(?:from |import )\(?'(\.[^']+)'/g)].flatMap(([, path]) => path ?? [])

describe('the floors of the server', () => {
  const files = sourceFiles('server')

  test('every file stands on a floor', () => {
    expect(files.map((file) => relative('server', file)).filter((file) => floorOf(file) < 0)).toEqual([])
  })

  test('imports run downwards only', () => {
    const climbing = files.flatMap((file) => {
      const from = relative('server', file)
      return imports(readFileSync(join(root, file), 'utf8'))
        .map((path) => relative('server', join(dirname(file), path)))
        .filter((to) => !to.startsWith('..'))
        .filter((to) => {
          const isSameRoom = to.split('/')[0] === from.split('/')[0]
          const isSameTopFloor = floorOf(from) >= floorOf('app.ts') && floorOf(to) === floorOf(from)
          return !isSameRoom && !isSameTopFloor && floorOf(to) >= floorOf(from)
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
      // They hand `process.env` to readConfig, or the whole of it to a child.
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
