import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig } from '../../../server/platform/configuration/config.ts'
import { createClient } from '../../support/clients/test-client.ts'
import { createDocumentedMachine, type DocumentedMachine } from '../../support/docs/documented-machine.ts'
import { assertOutput, readBlock } from '../../support/docs/snippets.ts'
import { unpackPreviousData } from '../../support/fixtures/previous-version.ts'
import { requireProgram } from '../../support/run/requirements.ts'
import { reservePort } from '../../support/run/reserved-port.ts'
import type { ServiceProcess } from '../../support/service/service-process.ts'
import { adminPassword } from '../../support/service/test-service.ts'

/** Runs the blocks of the pages for administrators in a folder that stands for the machine. */

async function startFor(machine: DocumentedMachine): Promise<ServiceProcess> {
  const service = await machine.start()
  onTestFinished(() => service.end('SIGKILL'))
  return service
}

/** Runs a block that must succeed without a message on stderr. Returns its output. */
async function succeed(machine: DocumentedMachine, block: string, environment?: Record<string, string>) {
  const { code, stdout, stderr } = await machine.run(block, environment)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

test('install, first gallery, backup, restore of a copy and on a new machine', async () => {
  const machine = await createDocumentedMachine()
  const service = await startFor(machine)
  const started = service.output().split('\n')
  assertOutput('first-start', started.filter((line) => /First sign-in|is ready/.test(line)).join('\n'))
  assertOutput('doctor', await succeed(machine, readBlock('doctor')))
  const shared = await succeed(machine, readBlock('first-gallery'))
  assertOutput('first-gallery', shared)
  const link = new URL(shared.trim().split('\n').at(-1) ?? '').pathname
  expect((await fetch(service.url + link)).status).toBe(200)

  assertOutput('backup', await succeed(machine, readBlock('backup')))
  assertOutput('verify-backup', await succeed(machine, readBlock('verify-backup')))
  await succeed(machine, readBlock('disk'))

  assertOutput('restore-copy', await succeed(machine, readBlock('restore-copy')))
  const port = await reservePort()
  const copy = await startCopy(machine, readBlock('start-copy').replace('3001', String(port)))
  expect((await fetch(`http://127.0.0.1:${port}${link}`)).status).toBe(200)
  await copy.end()

  const newMachine = await createDocumentedMachine()
  await cp(join(machine.folder, 'var/backups'), join(newMachine.folder, 'var/backups'), { recursive: true })
  assertOutput('restore', await succeed(newMachine, readBlock('restore')))
  const restored = await startFor(newMachine)
  expect(restored.output()).not.toContain('First sign-in')
  expect((await fetch(restored.url + link)).status).toBe(200)
})

/** Starts the service by a block of a page, in the foreground. Resolves when it is ready. */
async function startCopy(machine: DocumentedMachine, block: string) {
  const env = { PATH: `${machine.folder}/bin:${process.env.PATH}` }
  const script = machine.translate(block).replace(/^sudo -u proofroom/, 'exec env')
  const child = spawn('bash', ['-c', script], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await ended
  }
  onTestFinished(end)
  let output = ''
  while (!output.includes('Proofroom is ready')) output += (await once(child.stdout, 'data'))[0]
  return { end }
}

test('commands of the pages beside a running service', { tags: 'nightly' }, async () => {
  const machine = await createDocumentedMachine()
  const service = await startFor(machine)
  const run = (block: string) => succeed(machine, block)
  for (const block of [readBlock('command-with-variables'), readBlock('troubleshooting-doctor')])
    expect(await run(block)).toContain('The service runs')
  expect(await run(readBlock('reachable-doctor'))).toMatch(/^OK {7}Public address: PUBLIC_URL is not set.*\n$/)
  expect(await succeed(machine, readBlock('reset-mfa-in-folder'), { DATA_DIR: machine.dataDir })).toContain('no second')
  assertOutput('reset-mfa', await run(readBlock('reset-mfa')))
  assertOutput('create-admin', await run(readBlock('create-admin')))
  expect(await run(readBlock('rotate-key'))).toMatch(/^All values use the current key/m)
  const health = readBlock('proxy-health').replace('https://photos.example.com', service.url)
  expect(await run(health)).toMatch(/^HTTP\/1\.1 200 OK.*\n\{"status":"ok"\}$/s)

  const reset = await run(readBlock('reset-password'))
  assertOutput('reset-password', reset)
  const [, password = ''] = /New password: (\S+)/.exec(reset) ?? []
  const { post } = createClient(service.url)
  const login = await post('/api/auth/admin/login', { username: 'admin', password })
  const changed = await createClient(service.url, login.body.token).post('/api/admin/auth/change-password', {
    currentPassword: password,
    newPassword: adminPassword,
  })
  const admin = createClient(service.url, changed.body.token)
  const { body } = await admin.post('/api/admin/api-tokens', { name: 'pages', scopes: ['write'] })
  await writeFile(join(machine.folder, 'home/.proofroom-token'), body.token)
  const through = readBlock('share-through-service').replace('https://photos.example.com', service.url)
  const shared = await run(through)
  expect(shared).toContain('3 of 3 photos shared.')

  await mkdir(join(machine.folder, 'media/card/DCIM'), { recursive: true })
  await cp(join(machine.folder, 'home/Pictures/wedding/1.jpg'), join(machine.folder, 'media/card/DCIM/1.jpg'))
  const slug = new URL(shared.trim().split('\n').at(-1) ?? '').pathname.split('/')[2] ?? ''
  const imported = readBlock('import').replace('wedding-ana-ben-2026-06-20', slug)
  expect(await succeed(machine, imported, { DATA_DIR: machine.dataDir })).toContain('0 imported, 1 already present')
})

test('the README shares a folder before the first start', { tags: 'nightly' }, async () => {
  const machine = await createDocumentedMachine()
  const { code, stdout } = await machine.run(readBlock('readme-share'), { DATA_DIR: machine.dataDir })
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('3 of 3 photos shared.') })
})

test('doctor names the migrations that an upgrade will apply', async () => {
  const machine = await createDocumentedMachine()
  await mkdir(machine.dataDir, { recursive: true, mode: 0o700 })
  await unpackPreviousData(machine.dataDir)
  assertOutput('doctor-before-migration', await succeed(machine, readBlock('doctor-before-migration')))
})

test('the files and the variables of the pages are valid', async () => {
  for (const variables of [readBlock('proxy-variables'), readBlock('reachable-variables')])
    expect(readConfig(parseEnv(variables))).toMatchObject({ trustProxy: 1, host: '127.0.0.1' })
  expect(readConfig(parseEnv(readBlock('mail-variables'))).smtp).toMatchObject({ host: 'mail.example.com', port: 587 })
  expect(readConfig(parseEnv(readBlock('database-url'))).databaseUrl).toMatch(/^postgres:/)
  expect(parse(readBlock('prometheus-file')).rule_files).toEqual(['/etc/prometheus/proofroom.rules.yml'])

  const machine = await createDocumentedMachine()
  for (const path of ['caddy', 'nginx/conf.d', 'apache2/sites-available'])
    await mkdir(join(machine.folder, 'etc', path), { recursive: true })
  for (const block of [readBlock('caddy-file'), readBlock('nginx-file'), readBlock('apache-file')])
    await succeed(machine, block)
  const read = (path: string) => readFile(join(machine.folder, 'etc', path), 'utf8')
  expect(await read('nginx/conf.d/proofroom.conf')).toContain('/letsencrypt/live/photos.example.com/fullchain.pem;')
  expect(await read('apache2/sites-available/proofroom.conf')).toContain('/letsencrypt/live/photos.example.com/')
  expect(await read('caddy/Caddyfile')).toContain('\nphotos.example.com {\n\treverse_proxy 127.0.0.1:3000 {')
  if (!requireProgram('caddy').isMet()) return
  const args = ['adapt', '--config', join(machine.folder, 'etc/caddy/Caddyfile'), '--validate']
  expect(spawnSync('caddy', args).status).toBe(0)
})
