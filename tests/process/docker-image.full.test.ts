import { execFile } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { cp, mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { reservePort } from '../support/run/reserved-port.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import {
  createImageFolder,
  getImageInstruction,
  isIgnored,
  listCopiedFiles,
  listLockedPackages,
  parseArray,
  readDockerStages,
} from '../support/service/docker-image.ts'
import { startProgram } from '../support/service/service-process.ts'
import { adminPassword } from '../support/service/test-service.ts'

const root = join(import.meta.dirname, '../..')

test('the sources of the image exist and reach the builder; data, secrets and tests do not', () => {
  const sources = [...listCopiedFiles('build'), ...listCopiedFiles('app')].map(({ from }) => from)
  expect(sources.filter((path) => !existsSync(join(root, path)) || isIgnored(path))).toEqual([])
  const excluded = [
    'data/proofroom.db',
    '.git/HEAD',
    '.env',
    'deploy/.env',
    'node_modules/pg',
    'server/app.test.ts',
    'server/built',
    'web/built',
  ]
  expect(excluded.filter((path) => !isIgnored(path))).toEqual([])
  expect(isIgnored('server/platform/media/fonts/OpenSans-SemiBold.ttf')).toBe(false)
})

test('the image does not run as root, and stores data in its own volume', () => {
  expect(getImageInstruction('USER')).toBe('node')
  expect(getImageInstruction('VOLUME')).toBe('/data')
  expect(getImageInstruction('ENV')).toContain('DATA_DIR=/data')
})

test('the image has the Node version of the tests', () => {
  const wanted = listLockedPackages().find(([path]) => path === 'node_modules/node')?.[1] as { version?: string }
  const [major] = wanted.version?.split('.') ?? []
  for (const stage of readDockerStages()) expect(stage[0]?.value).toMatch(new RegExp(`^node:${major}-slim( AS \\w+)?$`))
})

test('every native package for amd64 is also there for arm64', () => {
  const paths = listLockedPackages().map(([path]) => path)
  const native = paths.filter((path) => /linux-x64(-gnu)?$/.test(path))
  expect(native.length).toBeGreaterThan(2)
  expect(native.filter((path) => !paths.includes(path.replace('linux-x64', 'linux-arm64')))).toEqual([])
  expect(existsSync(join(root, 'node_modules/better-sqlite3/prebuilds/linux-arm64.node'))).toBe(true)
})

test('the files of the image start, become healthy, and end with SIGTERM', async () => {
  const app = await temporaryFolder()
  createImageFolder(app, await temporaryFolder())
  const dataDir = await temporaryFolder()
  const programs = join(await temporaryFolder(), 'bin')
  await mkdir(programs)
  // As in the image, `proofroom` and Node are in the folders of PATH.
  symlinkSync(join(app, 'bin/proofroom.js'), join(programs, 'proofroom'))
  const PATH = [programs, dirname(process.execPath), '/usr/bin', '/bin'].join(':')
  const [tini, separator, ...program] = parseArray(getImageInstruction('ENTRYPOINT'))
  expect([tini, separator]).toEqual(['tini', '--'])
  const [command = '', ...args] = [...program, ...parseArray(getImageInstruction('CMD'))]

  const port = await reservePort()
  const environment = { PATH, ADMIN_PASSWORD: adminPassword }
  const service = await startProgram(join(programs, command), args, { dataDir, port, cwd: dataDir, environment })
  const page = await galleryWithPhoto(service.url)
  const [, style = 'none'] = /href="(\/assets\/[^"]+\.css)"/.exec(page) ?? []
  const [, script = 'none'] = /src="(\/built\/[^"]+\.js)"/.exec(page) ?? []
  for (const path of [style, script, '/api/docs/']) expect((await fetch(service.url + path)).status, path).toBe(200)
  expect(await healthCheck(PATH, port)).toBe(0)
  await service.end('SIGTERM')
  expect(service.output()).toContain('"msg":"Stopped"')
  expect(await healthCheck(PATH, port)).toBe(1)
})

test('without a build the service says so once, and pages work without script', async () => {
  const app = await temporaryFolder()
  createImageFolder(app, null)
  // Creates an older build, as an upgrade without the build packages leaves it.
  await mkdir(join(app, 'server/built'))
  await writeFile(join(app, 'server/built/run-command.js'), 'throw new Error("An older version")')
  await utimes(join(app, 'server/built/run-command.js'), 0, 0)
  await cp(join(root, 'tools'), join(app, 'tools'), { recursive: true })
  const { stdout } = await promisify(execFile)(process.execPath, ['tools/build.ts'], { cwd: app })
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
