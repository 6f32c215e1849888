import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { buildServerIfStale } from '../../tools/build-server.ts'
import { jpeg } from '../support/media/pictures.ts'
import { requireOrSkip } from '../support/run/requirements.ts'
import { reservePort } from '../support/run/reserved-port.ts'
import { createPlace, enterAs, type Place, rootOnLinux, runAs, uid } from '../support/service/installed-by-root.ts'
import { startProgram } from '../support/service/service-process.ts'

beforeEach(async ({ skip }) => {
  requireOrSkip(skip, [rootOnLinux], false)
  await buildServerIfStale()
})

/** Runs a printed line as root. */
const mend = (place: Place, line: string) => runAs(0, place, ['sh', '-c', line.replaceAll('sudo ', '')])

test('every command works as a user without rights on an installation that belongs to root', {
  tags: 'nightly',
}, async () => {
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
    expect(shared).toMatchObject({ code: 0, stdout: expect.stringContaining('1 of 1 photo shared.') })
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
    expect(await run('proofroom', 'verify-backup', join(home, 'backups'))).toMatchObject({ code: 0, stderr: '' })

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

    // Photos that root has copied into the folder are not lost: the printed line gives them to the service.
    const files = join(dataDir, 'media/files')
    await chown(join(files, 'events/1/thumbnails'), 0, 0)
    const backUpAgain = () => run('proofroom', 'backup', join(home, 'again'))
    const give = `sudo chown -R nobody:nogroup ${files}`
    expect(await backUpAgain()).toMatchObject({ code: 1, stderr: expect.stringContaining(`\n  ${give}\n`) })
    const found = await run('proofroom', 'doctor')
    expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining(`Run: ${give}\n`) })
    await mend(place, give)
    expect(await backUpAgain()).toMatchObject({ code: 0, stderr: '' })
  } finally {
    await service.end('SIGTERM')
  }
  const restored = await runAs(uid, place, ['proofroom', 'restore', join(home, 'backups')], {
    DATA_DIR: join(home, 'restored'),
  })
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('all rows') })
})

test('the service refuses data of another user, and a folder that it cannot write to', async () => {
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

/** Expects that these commands and `doctor` name what root owns, and the line that mends it. */
async function expectMended(place: Place, owned: string, line: string, commands: string[][]): Promise<void> {
  const run = (command: string[]) => runAs(uid, place, ['proofroom', ...command], { PORT: '0' })
  const stderr = `The user nobody cannot use ${owned}. Give this user the rights:\n  ${line}\n`
  expect(await Promise.all(commands.map(run))).toEqual(commands.map(() => ({ code: 2, stdout: '', stderr })))
  expect(await run(['doctor'])).toMatchObject({ code: 1, stdout: expect.stringContaining(`Run: ${line}\n`) })
  await mend(place, line)
  expect(await run(['doctor'])).toMatchObject({ code: 0, stdout: expect.not.stringContaining('Error') })
}

test('files of root in the folder of the service, or the folder: commands print the line that mends it', async () => {
  const place = await createPlace()
  const { dataDir } = place
  const files = ['proofroom.db', 'secrets/jwt-secret'].map((name) => join(dataDir, name))
  await mkdir(join(dataDir, 'secrets'))
  await chown(join(dataDir, 'secrets'), uid, uid)
  for (const file of files) await writeFile(file, '', { mode: 0o600 })
  const owned = files.map((file) => `${file} (of root)`).join(', ')
  await expectMended(place, owned, `sudo chown nobody:nogroup ${files.join(' ')}`, [['serve']])

  await chown(dataDir, 0, 0)
  const commands = [['serve'], ['reset-password', 'admin']]
  await expectMended(place, `${dataDir} (of root)`, `sudo chown -R nobody:nogroup ${dataDir}`, commands)
})

test('a file of variables that the user may not read: the printed line mends it', { tags: 'nightly' }, async () => {
  const place = await createPlace()
  const file = join(place.home, '../proofroom.env')
  await writeFile(file, 'PORT=0\n', { mode: 0o600 })
  const run = () => runAs(uid, place, ['proofroom', 'doctor', '--env', file])
  const refused = await run()
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  const [, line = ''] = refused.stderr.split('\n  ')
  expect(line).toBe(`sudo chown root:nogroup ${file} && sudo chmod 640 ${file}\n`)
  await mend(place, line)
  expect(await run()).toMatchObject({ code: 0, stderr: '' })

  // The user `daemon` is the only other one who may read it.
  await chown(file, 0, 1)
  expect((await run()).stderr).toContain('Run the command as this user, with "sudo -u daemon" before it.')
})
