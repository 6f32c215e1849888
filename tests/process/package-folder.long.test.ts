import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { galleryWithPhoto } from '../support/fixtures/gallery-with-photo.ts'
import { reservePort } from '../support/run/reserved-port.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { getImageInstruction, parseArray } from '../support/service/dockerfile.ts'
import { createPackageFolder } from '../support/service/package-folder.ts'
import { startProgram } from '../support/service/service-process.ts'
import { adminPassword } from '../support/service/test-service.ts'

const run = promisify(execFile)

test('the contents of the package start, become healthy, and end with SIGTERM', async () => {
  const app = await temporaryFolder()
  await createPackageFolder(app)
  const { scripts, devDependencies, dependencies } = JSON.parse(await readFile(join(app, 'package.json'), 'utf8'))
  expect({ scripts, devDependencies, node: dependencies.node }).toEqual({})
  const dataDir = await temporaryFolder()
  const programs = join(await temporaryFolder(), 'bin')
  await mkdir(programs)
  // As where the package is installed, `proofroom` and Node are in the folders of PATH.
  symlinkSync(join(app, 'bin/proofroom.js'), join(programs, 'proofroom'))
  const PATH = [programs, dirname(process.execPath), '/usr/bin', '/bin'].join(':')

  const port = await reservePort()
  const environment = { PATH, ADMIN_PASSWORD: adminPassword }
  const service = await startProgram('proofroom', [], { dataDir, port, cwd: dataDir, environment })
  const page = await galleryWithPhoto(service.url)
  const [, style = 'none'] = /href="(\/assets\/[^"]+\.css)"/.exec(page) ?? []
  const [, script = 'none'] = /src="(\/built\/[^"]+\.js)"/.exec(page) ?? []
  for (const path of [style, script, '/api/docs/']) expect((await fetch(service.url + path)).status, path).toBe(200)
  expect(await healthCheck(PATH, port)).toBe(0)
  await service.end('SIGTERM')
  expect(service.output()).toContain('"msg":"Stopped"')
  expect(await healthCheck(PATH, port)).toBe(1)

  const empty = await temporaryFolder()
  await expect(run('proofroom', ['--version'], { cwd: empty, env: { PATH } })).resolves.toMatchObject({
    stdout: `${JSON.parse(await readFile(join(app, 'package.json'), 'utf8')).version}\n`,
  })
  await expect(run('ls', ['-A'], { cwd: empty })).resolves.toMatchObject({ stdout: '' })
})

function healthCheck(PATH: string, port: number): Promise<number | null> {
  const [program = '', ...args] = parseArray(getImageInstruction('HEALTHCHECK'))
  return new Promise((resolve) => {
    const child = execFile(program, args, { env: { PATH, PORT: String(port) } }, () => resolve(child.exitCode))
  })
}
