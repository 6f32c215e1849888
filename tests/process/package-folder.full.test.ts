import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { reservePort } from '../support/run/reserved-port.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { getImageInstruction, parseArray } from '../support/service/dockerfile.ts'
import { createCheckoutFolder, createPackageFolder } from '../support/service/package-folder.ts'
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

test('without a build the service says so once, and pages work without script', async () => {
  const app = await temporaryFolder()
  createCheckoutFolder(app)
  // Creates an older build, as an upgrade without the build packages leaves it.
  await mkdir(join(app, 'server/built'))
  await writeFile(join(app, 'server/built/run-command.js'), 'throw new Error("An older version")')
  await utimes(join(app, 'server/built/run-command.js'), 0, 0)
  const { stdout } = await run(process.execPath, ['tools/build.ts'], { cwd: app })
  expect(stdout).toMatch(/^Nothing was built.*: npm ci && npm prune --omit=dev\n$/)
  const environment = { ADMIN_PASSWORD: adminPassword }
  const service = await startProgram(process.execPath, [join(app, 'bin/proofroom.js'), 'serve'], {
    dataDir: await temporaryFolder(),
    port: await reservePort(),
    cwd: app,
    environment,
  })
  const page = await galleryWithPhoto(service.url)
  expect(page).toContain('<ul class="grid')
  expect(page).not.toContain('/built/')
  expect(await (await fetch(`${service.url}/admin`)).text()).toContain('The admin app is not built. Run')
  expect((await fetch(`${service.url}/built/manifest.json`)).status).toBe(404)
  await service.end('SIGTERM')
  expect(
    service
      .output()
      .match(/The (web app|server) is not built/g)
      ?.sort(),
  ).toEqual(['The server is not built', 'The web app is not built'])
})

/** Returns the page of a gallery with one photo. The upload uses the database, the storage and an image worker. */
async function galleryWithPhoto(url: string): Promise<string> {
  const account = { username: 'admin', password: adminPassword }
  const { body } = await createClient(url).post('/api/auth/admin/login', account)
  const asked = { name: 'test', scopes: ['write'] }
  const { body: made } = await createClient(url, body.token).post('/api/admin/api-tokens', asked)
  const client = createClient(url, made.token)
  const event = await createEvent(client)
  await uploadPhotos(client, event.id, 1)
  return (await fetch(new URL(new URL(event.share_url).pathname, url))).text()
}

function healthCheck(PATH: string, port: number): Promise<number | null> {
  const [program = '', ...args] = parseArray(getImageInstruction('HEALTHCHECK'))
  return new Promise((resolve) => {
    const child = execFile(program, args, { env: { PATH, PORT: String(port) } }, () => resolve(child.exitCode))
  })
}
