import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { mailPortAddress, mailServerForTest, startMailServer } from '../support/network/mail-server.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { startKillableService } from '../support/service/killable-service.ts'
import { createCompiledDataDir, runToEnd } from '../support/service/proofroom-command.ts'
import { startByNode } from '../support/service/service-process.ts'

type Finding = { check: string; severity: string; text: string; fix: string | null }

async function runDoctor(environment: Record<string, string>) {
  const { code, stdout, stderr } = await runToEnd(['doctor', '--json'], environment)
  expect(stderr).toBe('')
  const { status, checks } = JSON.parse(stdout) as { status: string; checks: Finding[] }
  const find = (check: string) => checks.filter((finding) => finding.check === check)
  return { code, status, checks, find }
}

describe('proofroom doctor', () => {
  test('also by its previous name, reports on a machine without data in one line each, and creates nothing', async () => {
    const folder = await temporaryFolder()
    const environment = { DATA_DIR: join(folder, 'data'), PORT: '0', PUBLC_URL: 'x' }
    const { code, stdout, stderr } = await runToEnd(['check-config'], environment)
    expect([code, stderr]).toEqual([0, 'check-config is now called doctor.\n'])
    const lines = stdout.trim().split('\n')
    expect(lines.filter((line) => !/^(OK {5}|Warning|Error {2}) {2}[A-Z][a-z ]+: .+\.$/.test(line))).toEqual([])
    expect(lines.filter((line) => !line.startsWith('OK '))).toEqual([
      'Warning  Variables: PUBLC_URL is not read. Did you mean PUBLIC_URL? Rename or remove the variable.',
    ])
    expect(await readdir(folder)).toEqual([])
  })

  test('of a stopped and of a running service leaves its folder as it was', { tags: 'nightly' }, async () => {
    const dataDir = await createCompiledDataDir()
    const mail = await startMailServer()
    const service = await startByNode({ dataDir })
    const port = new URL(service.url).port
    const environment = { DATA_DIR: dataDir, SMTP_URL: `${mail.url}?tls=off`, PUBLIC_URL: service.url, PORT: port }
    const other = await createCompiledDataDir()
    const [running, elsewhere] = await Promise.all([runDoctor(environment), runDoctor({ DATA_DIR: other, PORT: port })])
    const text = `The service that answers at http://localhost:${port} does not use the data in ${other}`
    expect(elsewhere.find('Address')).toMatchObject([
      { severity: 'error', text, fix: expect.stringContaining('DATA_DIR') },
    ])
    const localOnly = 'which works only on this computer'
    const isReached = {
      check: 'Public address',
      text: `This service answers at ${service.url} (PUBLIC_URL), ${localOnly}`,
    }
    expect(running.checks.filter(({ severity }) => severity !== 'ok')).toEqual([expect.objectContaining(isReached)])
    expect(running.find('Address')[0]?.text).toContain('The service runs')
    expect(elsewhere.find('Public address')[0]?.text).toContain('PUBLIC_URL is not set')
    expect(mail.received).toEqual([])
    await service.end('SIGTERM')

    const before = await readdir(dataDir)
    const stopped = await runDoctor({ ...environment, PORT: '0' })
    expect(stopped.find('Database')[0]?.text).toMatch(/^SQLite in .*, all \d+ migrations applied$/)
    expect(stopped.find('Public address')[0]).toMatchObject({ severity: 'warning' })
    expect(await readdir(dataDir)).toEqual(before)
  })

  test('names what cannot be reached or used, without secrets, and ends with 1', { tags: 'nightly' }, async () => {
    const dataDir = await createCompiledDataDir()
    const away = {
      DATABASE_URL: 'postgres://ana:swordfish@127.0.0.1:9/photos',
      SMTP_URL: 'smtp://ana:swordfish@127.0.0.1:9',
      S3_BUCKET: 'pictures',
      S3_ENDPOINT: 'http://127.0.0.1:9',
      S3_ACCESS_KEY_ID: 'ana',
      S3_SECRET_ACCESS_KEY: 'swordfish',
      HOST: '192.0.2.9',
    }
    const { code, status, find, checks } = await runDoctor({ DATA_DIR: dataDir, ...away })
    expect([code, status]).toEqual([1, 'error'])
    for (const check of ['Database', 'Storage', 'Mail', 'Address']) {
      expect(find(check), check).toEqual([expect.objectContaining({ severity: 'error', fix: expect.any(String) })])
    }
    expect(JSON.stringify(checks)).not.toContain('swordfish')
    expect(await readdir(dataDir)).toEqual(['compile-cache'])
  })

  test('checks what a super admin entered in the admin app, and says where each value comes from', {
    tags: 'nightly',
  }, async () => {
    const place = mailPortAddress()
    await mailServerForTest({
      ...place,
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        done(null, password === 'swordfish' ? { user: username } : ({ message: 'No' } as never)),
    })
    const service = await startKillableService()
    const { url } = service.address()
    const enter = async (password: string, address: string) => {
      const server = { ...place, security: 'none', user_name: 'studio', password }
      expect((await service.admin().put('/api/admin/mail/server', { server })).status).toBe(200)
      expect((await service.admin().put('/api/admin/public-address', { url: address })).status).toBe(200)
    }
    const environment = { DATA_DIR: service.stored.dataDir, PORT: '0' }
    const where = `The mail server ${place.host}, port ${place.port} (entered in the admin app)`

    await enter('swordfish', url)
    const entered = await runDoctor(environment)
    expect(entered.find('Mail')).toMatchObject([{ severity: 'ok', text: `${where} accepts the sign-in` }])
    const local = ', which works only on this computer'
    const answers = `This service answers at ${url}`
    expect(entered.find('Public address')[0]?.text).toBe(`${answers} (entered in the admin app)${local}`)
    const inBoth = await runDoctor({ ...environment, SMTP_URL: 'smtp://127.0.0.1:9', PUBLIC_URL: url })
    expect(inBoth.find('Mail')[0]?.text).toContain('port 9 (SMTP_URL, which has priority over the admin app)')
    expect(inBoth.find('Public address')[0]?.text).toBe(`${answers} (PUBLIC_URL)${local}`)

    await enter('herring', 'http://127.0.0.1:9')
    await service.kill()
    const listFiles = async () => (await readdir(service.stored.dataDir, { recursive: true })).sort()
    const before = await listFiles()
    const wrong = await runDoctor(environment)
    expect(wrong.code).toBe(1)
    expect(wrong.find('Mail')).toMatchObject([{ severity: 'error', text: expect.stringContaining(where) }])
    expect(wrong.find('Mail')[0]?.fix).toContain('Mail and address')
    expect(wrong.find('Public address')).toMatchObject([{ severity: 'warning' }])
    const otherKey = await runDoctor({ ...environment, ENCRYPTION_KEY: 'a key of another instance, long enough' })
    expect(otherKey.find('Mail')).toMatchObject([
      { severity: 'error', text: expect.stringContaining('cannot be decrypted') },
    ])
    expect(JSON.stringify([entered, wrong, otherKey])).not.toMatch(/swordfish|herring/)
    expect(await listFiles()).toEqual(before)
  })

  test('names invalid variables as a start does, and misspelt ones', async () => {
    const alone = { S3_SECRET_ACCESS_KEY: 'swordfish', DATABASE_URL: 'mysql://ana:swordfish@db.example/photos' }
    const { code, find, checks } = await runDoctor({ DATA_DIR: await createCompiledDataDir(), SMPT_URL: 'x', ...alone })
    expect(code).toBe(1)
    expect(find('Variables').map(({ text, severity }) => [text.split(' ')[0], severity])).toEqual([
      ['DATABASE_URL', 'error'],
      ['S3_ACCESS_KEY_ID', 'error'],
      ['SMPT_URL', 'warning'],
    ])
    expect(JSON.stringify(checks)).not.toContain('swordfish')
  })
})

test('the wrong way to call a command is refused with 2, and creates nothing', { tags: 'nightly' }, async () => {
  const cwd = await temporaryFolder()
  const wrong = [['shaer', 'folder'], ['share'], ['doctor', '--jsno'], ['backup', 'folder', '--keep', 'none']]
  const runs = [...wrong, ['serve', '--env', '/nowhere/proofroom.env']].map((args) =>
    runToEnd(args, { PORT: '0' }, { cwd }),
  )
  const [unknown, ...others] = await Promise.all(runs)
  expect(unknown).toEqual({ code: 2, stdout: '', stderr: 'Unknown command "shaer". See proofroom --help.\n' })
  for (const result of others)
    expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.not.stringContaining('    at ') })
  expect(await readdir(cwd)).toEqual([])
})

test('--env reads the variables of a file; those of the environment stay', { tags: 'nightly' }, async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'proofroom.env')
  await writeFile(
    file,
    `# of the service\nDATA_DIR=/nowhere\nDATA_DIR="${folder}/data"\nPORT = 0\n\nPUBLIC_URL=here\nJWT_SECRET='too short'\nexport PORT=4\n`,
  )
  const { stdout } = await runToEnd(['doctor', '--env', file], { PUBLIC_URL: 'https://photos.example.com' })
  expect(stdout).toContain('JWT_SECRET must have at least 32 characters')
  expect(stdout).not.toContain('PUBLIC_URL')
  const valid = await runToEnd([`--env=${file}`, 'doctor'], { PUBLIC_URL: '', JWT_SECRET: '', PORT: '0' })
  expect(valid.stdout).toContain(`Data folder: ${folder}/data`)
  // If a name occurs twice, the last value counts, as in systemd.
  expect(valid.stdout).toContain(`Warning  Variables: DATA_DIR is more than once in ${file}; the last one counts.`)
  expect(valid.stdout).toContain(`Warning  Variables: Line 8 of ${file} is ignored. Write it as NAME=value,`)
  expect(existsSync(join(folder, 'data'))).toBe(false)
})
