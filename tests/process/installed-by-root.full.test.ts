import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildServerIfStale } from '../../tools/build-server.ts'
import { jpeg } from '../support/media/pictures.ts'
import { requireOrSkip } from '../support/run/requirements.ts'
import { reservePort } from '../support/run/reserved-port.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { createPlace, enterAs, rootOnLinux, runAs, uid } from '../support/service/installed-by-root.ts'
import type { CommandResult } from '../support/service/proofroom-command.ts'
import { startProgram } from '../support/service/service-process.ts'

const root = join(import.meta.dirname, '../..')

beforeAll(() => buildServerIfStale())

test('every command works as a user without rights on an installation that belongs to root', async ({ skip }) => {
  requireOrSkip(skip, [rootOnLinux], false)
  const place = await createPlace()
  const { home, dataDir } = place
  const run = (...command: string[]) => runAs(uid, place, command)
  expect(await run('touch', join(place.installation, 'new'))).toMatchObject({ code: 1 })
  await mkdir(join(home, 'pictures'))
  await writeFile(join(home, 'pictures/one.jpg'), await jpeg())
  await chmod(join(home, 'pictures'), 0o755)

  const port = await reservePort()
  const command = enterAs(uid, place, ['proofroom', 'serve'])
  const service = await startProgram('unshare', command, { dataDir, port, cwd: home })
  try {
    const shared = await run('proofroom', 'share', 'pictures', '--name', 'Ana & Ben')
    expect(shared).toMatchObject({ code: 0, stdout: expect.stringContaining('1 of 1 photos shared.') })
    const link = new URL(shared.stdout.trim().split('\n').at(-1) ?? '').pathname
    expect(await (await fetch(service.url + link)).text()).toContain('/thumbnail/')
    const slug = link.split('/')[2] ?? ''
    const work = [
      ['doctor'],
      ['reset-password', 'admin'],
      ['create-admin', 'ana', '--email', 'ana@studio.example'],
      ['import', '--event', slug, 'pictures'],
      ['adopt'],
      ['rotate-key'],
      ['backup', join(home, 'backups'), '--keep', '2'],
    ]
    const results = await Promise.all(work.map(async (args) => ({ args, ...(await run('proofroom', ...args)) })))
    for (const result of results) expect(result).toMatchObject({ code: 0, stderr: '' })
    const verified = await run('proofroom', 'verify-backup', join(home, 'backups'))
    expect(verified).toMatchObject({ code: 0, stderr: '' })

    await mkdir(join(home, 'of-root'), { mode: 0o700 })
    const backUp = async (folder: string) => (await run('proofroom', 'backup', folder)).stderr
    const [beside, ofRoot] = [join(place.installation, '../backups'), join(home, 'of-root')]
    expect(await Promise.all([backUp(beside), backUp(ofRoot)])).toEqual([
      expect.stringContaining(`Run: sudo install -d -o nobody -g nogroup -m 700 ${beside}\n`),
      expect.stringContaining(`run: sudo chown nobody:nogroup ${ofRoot}\n`),
    ])

    // As root, a command would leave files that the service cannot read. The line that it prints instead works.
    const args = ['share', 'pictures', '--name', "Ana's"]
    const refused = await runAs(0, place, ['proofroom', ...args], { JWT_SECRET: 'swordfish'.repeat(5) })
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).not.toContain('swordfish')
    const [reason, line = ''] = refused.stderr.trim().split('\n')
    expect(reason).toContain(`The data in ${dataDir} belong to the user nobody.`)
    expect(await runAs(0, place, ['sh', '-c', line])).toMatchObject({ code: 0, stderr: '' })
    expect((await stat(join(dataDir, 'proofroom.db'))).uid).toBe(uid)

    // Photos that root has copied into the folder are no lost photos: the printed line gives them to the service.
    const files = join(dataDir, 'media/files')
    await chown(join(files, 'events/1/thumbnails'), 0, 0)
    const backUpAgain = () => run('proofroom', 'backup', join(home, 'again'))
    const mend = `sudo chown -R nobody:nogroup ${files}`
    expect(await backUpAgain()).toMatchObject({ code: 1, stderr: expect.stringContaining(`\n  ${mend}\n`) })
    expect(await run('proofroom', 'doctor')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`Run: ${mend}\n`),
    })
    await runAs(0, place, ['sh', '-c', mend.replace('sudo ', '')])
    expect(await backUpAgain()).toMatchObject({ code: 0, stderr: '' })
  } finally {
    await service.end('SIGTERM')
  }
  const restored = await runAs(uid, place, ['proofroom', 'restore', join(home, 'backups')], {
    DATA_DIR: join(home, 'restored'),
  })
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('all rows') })
})

test('the service refuses data of another user, and a folder that it cannot write to', async ({ skip }) => {
  requireOrSkip(skip, [rootOnLinux], false)
  const place = await createPlace()
  await writeFile(join(place.dataDir, 'proofroom.db'), '')
  await chown(join(place.dataDir, 'proofroom.db'), 1, 1)
  const foreign = await runAs(uid, place, ['proofroom', 'serve'])
  expect(foreign).toMatchObject({ code: 2, stderr: expect.stringContaining('belong to the user daemon.') })
  const unwritable = await runAs(uid, place, ['proofroom', 'serve'], { DATA_DIR: join(place.installation, 'data') })
  expect(unwritable).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('DATA_DIR is not a writable folder'),
  })
})

test('files of root in the folder of the service: serve and doctor print the line that mends them', async ({
  skip,
}) => {
  requireOrSkip(skip, [rootOnLinux], false)
  const place = await createPlace()
  const files = ['proofroom.db', 'secrets/jwt-secret'].map((name) => join(place.dataDir, name))
  await mkdir(join(place.dataDir, 'secrets'))
  await chown(join(place.dataDir, 'secrets'), uid, uid)
  for (const file of files) await writeFile(file, '', { mode: 0o600 })
  const run = (command: string) => runAs(uid, place, ['proofroom', command], { PORT: '0' })
  const line = `sudo chown nobody:nogroup ${files.join(' ')}`
  expect(await run('serve')).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `The user nobody cannot use ${files[0]} (of root), ${files[1]} (of root). Give this user the rights:\n  ${line}\n`,
  })
  expect(await run('doctor')).toMatchObject({ code: 1, stdout: expect.stringContaining(`Run: ${line}\n`) })
  await runAs(0, place, ['sh', '-c', line.replace('sudo ', '')])
  expect(await run('doctor')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Error') })
})

test('a folder of root that cannot be entered: all commands print the line that gives all of it', async ({ skip }) => {
  requireOrSkip(skip, [rootOnLinux], false)
  const place = await createPlace()
  const { dataDir } = place
  const run = (...command: string[]) => runAs(uid, place, ['proofroom', ...command], { PORT: '0' })
  await writeFile(join(dataDir, 'proofroom.db'), '', { mode: 0o600 })
  await chown(dataDir, 0, 0)
  const line = `sudo chown -R nobody:nogroup ${dataDir}`
  const refused = {
    ...{ code: 2, stdout: '' },
    stderr: `The user nobody cannot use ${dataDir} (of root). Give this user the rights:\n  ${line}\n`,
  }
  expect(await Promise.all([run('serve'), run('reset-password', 'admin')])).toEqual([refused, refused])
  expect(await run('doctor')).toMatchObject({ code: 1, stdout: expect.stringContaining(`Run: ${line}\n`) })
  await runAs(0, place, ['sh', '-c', line.replace('sudo ', '')])
  expect(await run('doctor')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Error') })
})

test('a file of variables that the user may not read: the printed line mends it', async ({ skip }) => {
  requireOrSkip(skip, [rootOnLinux], false)
  const place = await createPlace()
  const file = join(place.home, '../proofroom.env')
  await writeFile(file, 'PORT=0\n', { mode: 0o600 })
  const run = () => runAs(uid, place, ['proofroom', 'doctor', '--env', file])
  const refused = await run()
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  const [, line = ''] = refused.stderr.split('\n  ')
  expect(line).toBe(`sudo chown root:nogroup ${file} && sudo chmod 640 ${file}\n`)
  await runAs(0, place, ['sh', '-c', line.replaceAll('sudo ', '')])
  expect(await run()).toMatchObject({ code: 0, stderr: '' })

  // The user `daemon` is the only other one who may read it.
  await chown(file, 0, 1)
  expect((await run()).stderr).toContain('Run the command as this user, with "sudo -u daemon" before it.')
})

test('bin/proofroom runs in any folder, through links, and creates nothing there', async () => {
  const folder = await temporaryFolder()
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const result = await new Promise<CommandResult>((resolve) => {
    const options = { cwd: folder, env: { PATH: '/usr/bin:/bin' } }
    const script = `ln -s "$1/bin/proofroom" first && ln -s first second && ./second --version && rm first second && ls -A`
    const child = execFile('sh', ['-c', script, 'sh', root], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
  expect(result).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})
