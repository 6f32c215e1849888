import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { expectProblem } from '../support/clients/problems.ts'
import { changeDatabase } from '../support/database/service-database.ts'
import { createEvent } from '../support/fixtures/events.ts'
import { galleryWithPhoto } from '../support/fixtures/gallery-with-photo.ts'
import { codedItem, createHeic } from '../support/media/heic-files.ts'
import { allowVideos, clip, uploadVideo, waitUntilProcessed } from '../support/media/videos.ts'
import { reservePort } from '../support/run/reserved-port.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { getImageInstruction, parseArray } from '../support/service/dockerfile.ts'
import { signInAt } from '../support/service/killable-service.ts'
import { createPackageFolder } from '../support/service/package-folder.ts'
import { startProgram } from '../support/service/service-process.ts'
import { adminPassword, type TestService } from '../support/service/test-service.ts'

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

test('without a decoder, HEIC files are rejected with the reason, and videos get a neutral picture', async () => {
  const app = await temporaryFolder()
  // It has only the dependencies that every platform needs.
  await createPackageFolder(app)
  const dataDir = await temporaryFolder()
  const environment = { ADMIN_PASSWORD: adminPassword, FFMPEG_PATH: '/bin/true' }
  const service = await startProgram(process.execPath, [join(app, 'bin/proofroom.js')], { dataDir, environment })
  onTestFinished(() => service.end('SIGKILL'))
  const { admin, api } = await signInAt(service.url)
  const reason = /^This service cannot decode HEIC, because there is no decoder for its platform \(\w+-\w+\)\./

  const types = { general_allowed_file_types: 'jpg,mp4,heic' }
  const refused = await admin.put('/api/admin/settings', types)
  expectProblem(refused, 400, 'VALIDATION_ERROR')
  expect(refused.body.error).toMatch(reason)

  await allowVideos({ admin }, 'jpg,mp4')
  // As on another machine, where there is a decoder.
  await changeDatabase({ dataDir } as TestService, (stored) =>
    stored
      .prepare(`update settings set value = ? where key = 'general_allowed_file_types'`)
      .run(JSON.stringify(types.general_allowed_file_types)),
  )
  const { id } = await createEvent(api)
  const uploadHeic = () => api.upload(id, createHeic([codedItem('full-601')]), { name: 'a.heic', type: 'image/heic' })
  await expect.poll(uploadHeic).toMatchObject({ status: 422, body: { error: expect.stringMatching(reason) } })
  const video = await waitUntilProcessed(api, id, await uploadVideo(admin, id, await clip('clip.mp4')))
  expect(video).toMatchObject({ processing_status: 'ready' })
  const thumbnail = await admin.get(`/api/admin/photos/${id}/thumbnail/${video.id}`)
  const { channels } = await sharp(thumbnail.bytes).stats()
  expect(channels.map(({ min, max }) => [min, max])).toEqual(Array(3).fill([112, 112]))
})

function healthCheck(PATH: string, port: number): Promise<number | null> {
  const [program = '', ...args] = parseArray(getImageInstruction('HEALTHCHECK'))
  return new Promise((resolve) => {
    const child = execFile(program, args, { env: { PATH, PORT: String(port) } }, () => resolve(child.exitCode))
  })
}
