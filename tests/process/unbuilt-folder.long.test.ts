import { execFile } from 'node:child_process'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { galleryWithPhoto } from '../support/fixtures/gallery-with-photo.ts'
import { reservePort } from '../support/run/reserved-port.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { createCheckoutFolder } from '../support/service/package-folder.ts'
import { startProgram } from '../support/service/service-process.ts'
import { adminPassword } from '../support/service/test-service.ts'

const run = promisify(execFile)

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
