import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { jpeg } from '../support/media/pictures.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { createCompiledDataDir, runBeside, runToEnd } from '../support/service/proofroom-command.ts'
import { startByNode } from '../support/service/service-process.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()

test('a second service on one SQLite folder refuses with one line', async () => {
  const dataDir = await createCompiledDataDir()
  const first = await startByNode({ dataDir })
  const environment = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' }
  const address = first.url.replace('127.0.0.1', 'localhost')
  expect(await runToEnd(['serve'], environment)).toEqual({
    code: 2,
    stdout: '',
    stderr: `Another Proofroom service already runs with the data in ${dataDir} (process ${first.pid}, ${address}). Stop it first.\n`,
  })
  // Commands share the folder with the service.
  expect(await runToEnd(['reset-password', 'admin'], environment)).toMatchObject({ code: 0, stderr: '' })
  await first.end('SIGTERM')
  expect(existsSync(join(dataDir, 'service.json'))).toBe(false)
})

test('a second service refuses also after a kill and a restart of the first', { tags: 'nightly' }, async () => {
  const dataDir = await createCompiledDataDir()
  const environment = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' }
  const first = await startByNode({ dataDir })
  await first.end('SIGKILL')
  const again = await startByNode({ dataDir })
  expect((await runToEnd(['serve'], environment)).code).toBe(2)
  await again.end('SIGTERM')
  expect(existsSync(join(dataDir, 'service.json'))).toBe(false)
})

test('a command without DATA_DIR creates no second instance unless somebody says so', { tags: 'nightly' }, async () => {
  const [cwd, pictures] = [await temporaryFolder(), await temporaryFolder()]
  await writeFile(join(pictures, '1.jpg'), await jpeg())
  const port = new URL(service.url).port
  const args = ['share', pictures, '--name', 'Ana & Ben']
  const refused = await runToEnd(args, { PORT: port }, { cwd })
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain(`The service that answers at http://localhost:${port} uses other data.`)
  expect(refused.stderr).toContain(`share ${pictures} --name 'Ana & Ben' --yes\n`)
  expect(await readdir(cwd)).toEqual([])

  const agreed = await runToEnd([...args, '--yes'], { PORT: '9' }, { cwd })
  expect(agreed).toMatchObject({ code: 0, stderr: `Creating new data in ${join(cwd, 'data')}.\n` })
  const again = await runToEnd(args, { PORT: '9' }, { cwd })
  expect(again).toMatchObject({ code: 0, stderr: `Using the data in ${join(cwd, 'data')}.\n` })

  const list = await runToEnd(['adopt'], { PORT: port }, { cwd })
  expect(list).toMatchObject({ code: 2, stdout: '' })
  expect(list.stderr).toMatch(/The service that answers at .* does not use the data in .*\n {2}DATA_DIR=.* adopt\n/)
})

test('commands that need data refuse where there are none', { tags: 'nightly' }, async () => {
  const cwd = await temporaryFolder()
  const commands = [['import', '.'], ['adopt'], ['reset-password', 'admin'], ['rotate-key']]
  const results = await Promise.all(commands.map((args) => runToEnd(args, { PORT: '9' }, { cwd })))
  const stderr = `There are no data of Proofroom in ${join(cwd, 'data')}. Set DATA_DIR to the folder of the service.\n`
  expect(results).toEqual(commands.map(() => ({ code: 2, stdout: '', stderr })))
  expect(await readdir(cwd)).toEqual([])
})

test('create-admin generates a password to be changed, or takes one from stdin, and the role', {
  tags: 'nightly',
}, async () => {
  const create = (name: string, args: string[] = [], input = '') =>
    runBeside(service, ['create-admin', name, '--email', `${name}@studio.example`, ...args], {}, { input })
  const signIn = (username: string, password: string) =>
    createClient(service.url).post('/api/auth/admin/login', { username, password })
  const { stdout } = await create('ana')
  const [, password = ''] = /^Password: (\S+)/m.exec(stdout) ?? []
  expect(stdout).toContain('Created the account ana with the role super_admin.')
  expect((await signIn('ana', password)).body).toMatchObject({ user: { mustChangePassword: true } })
  expect(await create('ana')).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') })

  const fromStdin = ['--role', 'admin', '--password-stdin']
  const made = await create('ben', fromStdin, 'a long one of my own\n')
  expect(made).toMatchObject({ code: 0, stdout: 'Created the account ben with the role admin.\n' })
  expect((await signIn('ben', 'a long one of my own')).status).toBe(200)
  expect(await create('eve', fromStdin, 'short\n')).toMatchObject({ code: 2, stderr: 'The password is not valid.\n' })
  expect(await create('eve', fromStdin)).toMatchObject({ code: 2, stderr: 'The password is empty.\n' })
})
