import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { jpeg } from '../support/media/pictures.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { createCompiledDataDir, runProofroom, runToEnd } from '../support/service/proofroom-command.ts'
import { startByNode } from '../support/service/service-process.ts'
import { serviceForFile } from '../support/service/test-service.ts'

const service = await serviceForFile()

async function createPictures(count: number): Promise<string> {
  const folder = await temporaryFolder()
  for (let seed = 1; seed <= count; seed++) await writeFile(join(folder, `${seed}.jpg`), await jpeg({ seed }))
  return folder
}

const nobodyThere = { PORT: '9' }

describe('two services on one SQLite folder', () => {
  test('the second refuses with one line, also after the first was killed and started again', async () => {
    const dataDir = await createCompiledDataDir()
    const first = await startByNode({ dataDir })
    const environment = { DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' }
    const second = await runToEnd(['serve'], environment)
    expect(second).toMatchObject({ code: 2, stdout: '' })
    expect(second.stderr).toBe(
      `Another Proofroom service already runs with the data in ${dataDir} (process ${first.pid}, ${first.url.replace('127.0.0.1', 'localhost')}). Stop it first.\n`,
    )
    // Commands share the folder with the service.
    const reset = await runToEnd(['reset-password', 'admin'], environment)
    expect(reset).toMatchObject({ code: 0, stderr: '' })

    await first.end('SIGKILL')
    const again = await startByNode({ dataDir })
    expect((await runToEnd(['serve'], environment)).code).toBe(2)
    await again.end('SIGTERM')
    expect(existsSync(join(dataDir, 'service.json'))).toBe(false)
  })
})

describe('a command without DATA_DIR', () => {
  test('creates no second instance unless somebody says so', async () => {
    const [cwd, pictures] = [await temporaryFolder(), await createPictures(1)]
    const port = new URL(service.url).port
    const args = ['share', pictures, '--name', 'Ana & Ben']
    const refused = await runToEnd(args, { PORT: port }, { cwd })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain(`The service that answers at http://localhost:${port} uses other data.`)
    expect(refused.stderr).toContain(`share ${pictures} --name 'Ana & Ben' --yes\n`)
    expect(await readdir(cwd)).toEqual([])

    const agreed = await runToEnd([...args, '--yes'], { ...nobodyThere }, { cwd })
    expect(agreed).toMatchObject({ code: 0, stderr: `Creating new data in ${join(cwd, 'data')}.\n` })
    const again = await runToEnd(args, nobodyThere, { cwd })
    expect(again).toMatchObject({ code: 0, stderr: `Using the data in ${join(cwd, 'data')}.\n` })

    const list = await runToEnd(['adopt'], { PORT: port }, { cwd })
    expect(list).toMatchObject({ code: 2, stdout: '' })
    expect(list.stderr).toMatch(/The service that answers at .* does not use the data in .*\n {2}DATA_DIR=.* adopt\n/)
  })

  test.each([[['import', '.']], [['adopt']], [['reset-password', 'admin']], [['rotate-key']]])(
    '%j refuses where there are no data',
    async (args) => {
      const cwd = await temporaryFolder()
      const { code, stderr } = await runToEnd(args, nobodyThere, { cwd })
      expect([code, stderr]).toEqual([
        2,
        `There are no data of Proofroom in ${join(cwd, 'data')}. Set DATA_DIR to the folder of the service.\n`,
      ])
      expect(await readdir(cwd)).toEqual([])
    },
  )
})

describe('proofroom share through a running service', () => {
  test('uses its address and token, and prints a link that it serves', async () => {
    const [cwd, pictures] = [await temporaryFolder(), await createPictures(2)]
    await writeFile(join(pictures, 'broken.jpg'), 'not a picture at all')
    const { body } = await service.admin.post('/api/admin/api-tokens', { name: 'cli', scopes: ['write'] })
    const tokenFile = join(cwd, 'token')
    await writeFile(tokenFile, body.token)
    const args = ['share', pictures, '--name', 'Ana & Ben', '--url', service.url, '--log-progress']
    const { code, stdout, stderr } = await runToEnd(args, { PROOFROOM_TOKEN_FILE: tokenFile }, { cwd })
    expect([code, stdout]).toEqual([1, expect.stringContaining('2 of 3 photos shared.\n  broken.jpg: ')])
    expect(stderr).toMatch(/^1 of 3 {2}|^3 of 3 {2}/m)
    const link = new URL(stdout.trim().split('\n').at(-1) ?? '')
    expect(link.origin).toBe(service.url)
    expect((await service.anonymous.get(link.pathname)).bytes.toString()).toContain('/thumbnail/')
    expect(await readdir(cwd)).toEqual(['token'])
  })

  test('says what is missing or rejected', async () => {
    const [cwd, pictures] = [await temporaryFolder(), await createPictures(1)]
    const args = ['share', pictures, '--name', 'Ana & Ben']
    const withoutToken = await runToEnd(args, { PROOFROOM_URL: service.url }, { cwd })
    expect(withoutToken).toMatchObject({ code: 2, stderr: expect.stringContaining('set PROOFROOM_TOKEN') })
    const wrong = await runToEnd([...args, '--url', service.url, '--token', `prf_live_${'w'.repeat(43)}`], {}, { cwd })
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('This token is invalid.') })
    const away = await runToEnd([...args, '--url', 'http://127.0.0.1:9', '--token', 'any'], {}, { cwd })
    expect(away).toMatchObject({ code: 1, stderr: expect.stringContaining('Cannot reach the service') })
    const imported = await runToEnd(['import', pictures], { PROOFROOM_URL: service.url }, { cwd })
    expect(imported).toMatchObject({ code: 2, stderr: expect.stringContaining('works on DATA_DIR') })
  })
})

describe('proofroom create-admin', () => {
  const signIn = (username: string, password: string) =>
    createClient(service.url).post('/api/auth/admin/login', { username, password })

  test('creates an account with a generated password, to be changed at the first sign-in', async () => {
    const { stdout } = await runProofroom(service, ['create-admin', 'ana', '--email', 'ana@studio.example'])
    const [, password = ''] = /^Password: (\S+)/m.exec(stdout) ?? []
    expect(stdout).toContain('Created the account ana with the role super_admin.')
    expect((await signIn('ana', password)).body).toMatchObject({ user: { mustChangePassword: true } })
    const again = runProofroom(service, ['create-admin', 'ana', '--email', 'other@studio.example'])
    await expect(again).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') })
  })

  test('takes the password from stdin, and another role', async () => {
    const args = ['create-admin', 'ben', '--email', 'ben@studio.example', '--role', 'admin', '--password-stdin']
    const environment = { DATA_DIR: service.dataDir }
    const made = await runToEnd(args, environment, { input: 'a long one of my own\n' })
    expect(made).toMatchObject({ code: 0, stdout: 'Created the account ben with the role admin.\n' })
    expect((await signIn('ben', 'a long one of my own')).status).toBe(200)
    expect(await runToEnd(args, environment, { input: 'short\n' })).toMatchObject({
      code: 2,
      stderr: 'The password is not valid.\n',
    })
    expect(await runToEnd(args, environment)).toMatchObject({ code: 2, stderr: 'The password is empty.\n' })
  })
})
