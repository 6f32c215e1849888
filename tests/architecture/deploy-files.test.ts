import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { addBackup } from '../../server/commands/backup-commands.ts'
import { readConfig } from '../../server/platform/config.ts'
import { variables } from '../../server/platform/variables.ts'
import { writeNginxConfig } from '../support/network/reverse-proxies.ts'
import { requireOrSkip, requireProgram } from '../support/run/requirements.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { root } from './source-files.ts'

const read = (name: string): string => readFileSync(join(root, 'deploy', name), 'utf8')
const graceSeconds = readConfig({}).shutdownGraceSeconds

type Service = {
  image: string
  build?: string
  environment?: Record<string, string>
  volumes?: string[]
  depends_on?: Record<string, unknown>
  stop_grace_period?: string
}

type Compose = { services: Record<string, Service>; volumes: object }

/** Returns a compose file in which `${NAME}` is replaced after parsing, as Docker Compose does. */
function compose(name: string, environment: Record<string, string>): Compose {
  const filledIn = (text: string) =>
    text.replace(/\$\{(\w+)(:[-?])?([^}]*)\}/g, (_all, variable, kind, fallback) => {
      const value = environment[variable]
      if (value) return value
      if (kind !== ':-') throw new Error(`${variable} must be set`)
      return fallback
    })
  const fillIn = (_key: unknown, value: unknown) => (typeof value === 'string' ? filledIn(value) : value)
  return parse(read(name), fillIn, { merge: true })
}

/** The example environment, with values for the empty variables except those of mail. */
const example = Object.fromEntries(
  [...read('example.env').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value]) => [
    name,
    value || (/^SMTP|^MAIL/.test(name) ? '' : 'c0ffee'.repeat(8)),
  ]),
)

const composeFiles = [
  { name: 'compose.yaml', environment: {}, nodes: ['proofroom'] },
  { name: 'compose.several-nodes.yaml', environment: example, nodes: ['node-1', 'node-2'] },
]

describe.each(composeFiles)('$name', ({ name, environment, nodes }) => {
  const { services, volumes } = compose(name, environment)
  const ours = Object.entries(services).filter(([, { image }]) => image === 'proofroom')

  test('has its nodes, each built from this checkout and with time to stop', () => {
    expect(ours.map(([key]) => key)).toEqual(nodes)
    for (const [, { build = '', stop_grace_period = '' }] of ours) {
      expect(existsSync(join(root, 'deploy', build, 'Dockerfile'))).toBe(true)
      expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(graceSeconds)
    }
  })

  test('sets only variables that the service reads, with valid values', () => {
    for (const [, { environment: given = {} }] of ours) {
      expect(Object.keys(given).filter((key) => !(key in variables))).toEqual([])
      // readConfig throws when a value is invalid.
      expect(readConfig(given).port).toBe(3000)
    }
  })

  test('mounts only files that exist', () => {
    const mounted = Object.values(services).flatMap((service) => service.volumes ?? [])
    const sources = mounted.map((volume) => volume.split(':')[0] ?? '')
    const isThere = (source: string) =>
      source.startsWith('.') ? existsSync(join(root, 'deploy', source)) : source in volumes
    expect(sources.filter((source) => !isThere(source))).toEqual([])
  })

  test('depends only on services that it has', () => {
    const awaited = Object.values(services).flatMap((service) => Object.keys(service.depends_on ?? {}))
    expect(awaited.filter((key) => !(key in services))).toEqual([])
  })
})

describe('the nodes of compose.several-nodes.yaml', () => {
  const { services } = compose('compose.several-nodes.yaml', example)
  const config = readConfig(services['node-1']?.environment ?? {})

  test('use PostgreSQL and a bucket, with the same secrets', () => {
    expect(services['node-2']?.environment).toEqual(services['node-1']?.environment)
    expect(config).toMatchObject({ trustProxy: 1, publicUrl: 'https://photos.example.com' })
    expect(config.s3).toMatchObject({ bucket: 'proofroom', forcePathStyle: true })
    for (const secret of [config.jwtSecret, config.encryptionKey]) expect(secret).toHaveLength(48)
  })

  test('have their own data folders and share those of imports and backups', () => {
    const [one = [], two = []] = ['node-1', 'node-2'].map((key) => services[key]?.volumes)
    expect(one.filter((volume) => two.includes(volume))).toEqual(['import:/import', 'backups:/backups'])
    expect([...one, ...two].filter((volume) => volume.endsWith(':/data'))).toHaveLength(2)
  })

  test('use the database and the store with the settings of these services', () => {
    const database = services.database?.environment ?? {}
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = database
    expect(config.databaseUrl).toBe(`postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@database:5432/${POSTGRES_DB}`)
    const store = services.store?.environment ?? {}
    expect(config.s3).toMatchObject({
      bucket: store.S3_BUCKET,
      credentials: { accessKeyId: store.AWS_ACCESS_KEY_ID, secretAccessKey: store.AWS_SECRET_ACCESS_KEY },
    })
  })

  test('are the upstreams of Caddy', () => {
    const names = String(services.caddy?.environment?.NODES).split(' ')
    expect(names).toEqual(['node-1:3000', 'node-2:3000'])
  })

  test('need exactly the variables of the example', () => {
    const wanted = [...read('compose.several-nodes.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
    expect([...new Set(wanted)].sort()).toEqual(Object.keys(example).sort())
  })
})

/**
 * Variables that the service does not read: those of PostgreSQL, the store, the C library, systemd and Apache, and those
 * of the compose files.
 */
const foreign =
  /^(POSTGRES_\w+|AWS_\w+|MALLOC_ARENA_MAX|AF_\w+|REMOTE_ADDR|REQUEST_SCHEME|DATABASE_PASSWORD|STORE_PASSWORD|IMPORT_FOLDER|BACKUP_FOLDER)$/

test.each([
  'compose.yaml',
  'compose.several-nodes.yaml',
  'example.env',
  'Caddyfile',
  'nginx.conf',
  'apache.conf',
  'proofroom.service',
  'proofroom-backup.service',
])('%s names only variables that are read', (name) => {
  const named = read(name).match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\b/g) ?? []
  expect(named.filter((word) => !(word in variables) && !foreign.test(word))).toEqual([])
})

describe('the systemd units', () => {
  const units = ['proofroom.service', 'proofroom-backup.service', 'proofroom-backup.timer']

  /** Returns the last value of a key in a unit. */
  const getUnitValue = (unit: string, key: string): string => listUnitValues(unit, key).at(-1) ?? ''
  const listUnitValues = (unit: string, key: string): string[] =>
    [...read(unit).matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)

  test('start the service as npm start does', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const [program, ...args] = getUnitValue('proofroom.service', 'ExecStart').split(' ')
    const setting = listUnitValues('proofroom.service', 'Environment').find((one) => one.startsWith('MALLOC'))
    expect(`exec env ${setting} ${['node', ...args].join(' ')}`).toBe(scripts.start)
    expect(program).toBe(`${getUnitValue('proofroom.service', 'WorkingDirectory')}/node_modules/.bin/node`)
  })

  test('let running requests finish and leave child processes to the service', () => {
    expect(Number(getUnitValue('proofroom.service', 'TimeoutStopSec'))).toBeGreaterThan(graceSeconds)
    expect(getUnitValue('proofroom.service', 'KillMode')).toBe('mixed')
    expect(getUnitValue('proofroom.service', 'OOMPolicy')).toBe('continue')
  })

  test('back up the data of the service, as its user, with a command that exists', () => {
    for (const key of ['User', 'WorkingDirectory', 'Environment', 'EnvironmentFile']) {
      expect(listUnitValues('proofroom.service', key)).toEqual(
        expect.arrayContaining(listUnitValues('proofroom-backup.service', key)),
      )
    }
    const [program, name, folder, option] = getUnitValue('proofroom-backup.service', 'ExecStart').split(' ')
    const command = addBackup(new Command())
    expect([program, name]).toEqual([
      `${getUnitValue('proofroom.service', 'WorkingDirectory')}/bin/proofroom`,
      command.name(),
    ])
    expect(getUnitValue('proofroom-backup.service', 'ReadWritePaths')).toBe(folder)
    expect(command.options.map(({ long }) => long)).toContain(option)
  })

  test('sandbox the backup like the service', () => {
    const sandbox = (unit: string) =>
      [...read(unit).matchAll(/^((?:Protect|Private|Restrict|Lock|NoNew|Capability|SystemCall|State|UMask)\w*)=/gm)]
        .map(([, key]) => key)
        .sort()
    expect(sandbox('proofroom-backup.service')).toEqual(sandbox('proofroom.service'))
  })

  test('are valid for systemd', async ({ skip }) => {
    requireOrSkip(skip, [requireProgram('systemd-analyze')])
    const folder = await temporaryFolder()
    const files = units.map((unit) => join(folder, unit))
    // The path of this checkout may have spaces, which units must quote, so the units get the path of a link.
    const installation = join(folder, 'proofroom')
    await symlink(root, installation)
    for (const unit of units) {
      await writeFile(join(folder, unit), read(unit).replaceAll('/opt/proofroom', installation))
    }
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })
})

test('nginx accepts its file', async ({ skip }) => {
  requireOrSkip(skip, [requireProgram('nginx')])
  const { args } = await writeNginxConfig([{ url: 'http://127.0.0.1:3000' }], 'tls')
  const { status, stderr } = spawnSync('nginx', ['-t', ...args], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.stringContaining('test is successful') })
})

test('Caddy accepts its file and would not format it differently', ({ skip }) => {
  requireOrSkip(skip, [requireProgram('caddy')])
  const file = join(root, 'deploy/Caddyfile')
  const env = { ...process.env, DOMAIN: 'photos.example.com', NODES: 'node-1:3000 node-2:3000' }
  const { status, stdout } = spawnSync('caddy', ['adapt', '--config', file, '--validate'], { env, encoding: 'utf8' })
  expect(status).toBe(0)
  const dials = [...stdout.matchAll(/"dial":"([^"]+)"/g)].map(([, dial]) => dial)
  expect(dials).toEqual(['node-1:3000', 'node-2:3000'])
  expect(spawnSync('caddy', ['fmt', file], { encoding: 'utf8' }).stdout).toBe(read('Caddyfile'))
})
