import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { addBackup } from '../../server/commands/backup-commands.ts'
import { readConfig } from '../../server/platform/configuration/config.ts'
import { variables } from '../../server/platform/configuration/variables.ts'
import { writeNginxConfig } from '../support/network/reverse-proxies.ts'
import { requireOrSkip, requireProgram } from '../support/run/requirements.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { readText, root } from './source-files.ts'

const read = (name: string): string => readText(`deploy/${name}`)
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

test.each(composeFiles)('$name starts its nodes with valid variables, existing files and services', (file) => {
  const { services, volumes } = compose(file.name, file.environment)
  const ours = Object.entries(services).filter(([, { image }]) => image === 'proofroom')
  expect(ours.map(([key]) => key)).toEqual(file.nodes)
  for (const [, { build = '', stop_grace_period = '', environment = {} }] of ours) {
    expect(existsSync(join(root, 'deploy', build, 'Dockerfile'))).toBe(true)
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThan(graceSeconds)
    expect(Object.keys(environment).filter((key) => !(key in variables))).toEqual([])
    // readConfig throws when a value is invalid.
    expect(readConfig(environment).port).toBe(3000)
  }
  const all = Object.values(services)
  const sources = all.flatMap((service) => service.volumes ?? []).map((volume) => volume.split(':')[0] ?? '')
  const isThere = (source: string) =>
    source.startsWith('.') ? existsSync(join(root, 'deploy', source)) : source in volumes
  expect(sources.filter((source) => !isThere(source))).toEqual([])
  const awaited = all.flatMap((service) => Object.keys(service.depends_on ?? {}))
  expect(awaited.filter((key) => !(key in services))).toEqual([])
})

test('the nodes of compose.several-nodes.yaml use one database, one bucket, the same secrets and shared folders', () => {
  const { services } = compose('compose.several-nodes.yaml', example)
  const { 'node-1': first, 'node-2': second, database, store, caddy } = services
  expect(second?.environment).toEqual(first?.environment)
  const config = readConfig(first?.environment ?? {})
  expect(config).toMatchObject({ trustProxy: 1, publicUrl: 'https://photos.example.com' })
  for (const secret of [config.jwtSecret, config.encryptionKey]) expect(secret).toHaveLength(48)
  const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = database?.environment ?? {}
  expect(config.databaseUrl).toBe(`postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@database:5432/${POSTGRES_DB}`)
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = store?.environment ?? {}
  const credentials = { accessKeyId, secretAccessKey }
  expect(config.s3).toMatchObject({ bucket: 'proofroom', forcePathStyle: true, credentials })
  expect(store?.environment?.S3_BUCKET).toBe('proofroom')
  expect(String(caddy?.environment?.NODES).split(' ')).toEqual(['node-1:3000', 'node-2:3000'])

  const [one = [], two = []] = [first?.volumes, second?.volumes]
  expect(one.filter((volume) => two.includes(volume))).toEqual(['import:/import', 'backups:/backups'])
  expect([...one, ...two].filter((volume) => volume.endsWith(':/data'))).toHaveLength(2)
  const wanted = [...read('compose.several-nodes.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
  expect([...new Set(wanted)].sort()).toEqual(Object.keys(example).sort())
})

/**
 * Variables that the service does not read: those of PostgreSQL, the store, the C library, systemd and Apache, and those
 * of the compose files.
 */
const foreign =
  /^(POSTGRES_\w+|AWS_\w+|MALLOC_ARENA_MAX|AF_\w+|REMOTE_ADDR|REQUEST_SCHEME|DATABASE_PASSWORD|STORE_PASSWORD|IMPORT_FOLDER|BACKUP_FOLDER)$/

test('the files of deploy/ name only variables that are read', () => {
  const files = ['compose.yaml', 'compose.several-nodes.yaml', 'example.env', 'Caddyfile', 'nginx.conf', 'apache.conf']
  const named = [...files, 'proofroom.service', 'proofroom-backup.service'].flatMap(
    (name) => read(name).match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\b/g) ?? [],
  )
  expect(named.filter((word) => !(word in variables) && !foreign.test(word))).toEqual([])
})

describe('the systemd units', () => {
  const units = ['proofroom.service', 'proofroom-backup.service', 'proofroom-backup.timer']

  /** Returns the last value of a key in a unit. */
  const getUnitValue = (unit: string, key: string): string => listUnitValues(unit, key).at(-1) ?? ''
  const listUnitValues = (unit: string, key: string): string[] =>
    [...read(unit).matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)

  test('start the service as npm start does, and end it without cutting requests', () => {
    const { scripts } = JSON.parse(readText('package.json'))
    const get = (key: string) => getUnitValue('proofroom.service', key)
    const [program, ...args] = get('ExecStart').split(' ')
    const setting = listUnitValues('proofroom.service', 'Environment').find((one) => one.startsWith('MALLOC'))
    expect(`exec env ${setting} ${['node', ...args].join(' ')}`).toBe(scripts.start)
    expect(program).toBe(`${get('WorkingDirectory')}/node_modules/.bin/node`)
    expect(Number(get('TimeoutStopSec'))).toBeGreaterThan(graceSeconds)
    expect([get('KillMode'), get('OOMPolicy')]).toEqual(['mixed', 'continue'])
  })

  test('back up the data of the service, as its user, in the same sandbox, with a command that exists', () => {
    for (const key of ['User', 'WorkingDirectory', 'Environment', 'EnvironmentFile']) {
      const ofService = listUnitValues('proofroom.service', key)
      expect(ofService).toEqual(expect.arrayContaining(listUnitValues('proofroom-backup.service', key)))
    }
    const [program, name, folder, option] = getUnitValue('proofroom-backup.service', 'ExecStart').split(' ')
    const command = addBackup(new Command())
    const installed = `${getUnitValue('proofroom.service', 'WorkingDirectory')}/bin/proofroom`
    expect([program, name]).toEqual([installed, command.name()])
    expect(getUnitValue('proofroom-backup.service', 'ReadWritePaths')).toBe(folder)
    expect(command.options.map(({ long }) => long)).toContain(option)
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
