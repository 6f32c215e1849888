import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createClient } from '../support/clients/test-client.ts'
import { createEvent, uploadPhotos } from '../support/fixtures/events.ts'
import { previousData, unpackPreviousData } from '../support/fixtures/previous-version.ts'
import { imageBuilder, requireOrSkip } from '../support/run/requirements.ts'
import { reservePort } from '../support/run/reserved-port.ts'
import { temporaryFolder } from '../support/run/temporary-folder.ts'
import { getImageInstruction, parseArray } from '../support/service/dockerfile.ts'
import { signInAt } from '../support/service/killable-service.ts'
import { type ServiceProcess, startProgram } from '../support/service/service-process.ts'
import { adminPassword } from '../support/service/test-service.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const maxMegabytes = 300
const uid = 12_345

let building: Promise<ContainerImage> | undefined

const getImage = (): Promise<ContainerImage> => {
  building ??= buildImage()
  return building
}

afterAll(async () => (await building?.catch(() => undefined))?.remove())

test('the image is built and small', { timeout: 900_000 }, async ({ skip }) => {
  requireOrSkip(skip, [imageBuilder])
  const { folder, size } = await getImage()
  process.stdout.write(`The image has ${Math.round(size / 1e6)} MB uncompressed.\n`)
  expect(size).toBeLessThan(maxMegabytes * 1e6)
  const { stdout } = await run('find', [folder, '-xdev', '-name', 'node', '-type', 'f', '-size', '+50M'])
  expect(stdout.trim()).toBe(join(folder, 'usr/local/bin/node'))
  const programs = await readdir(join(folder, 'usr/bin'))
  expect(programs.filter((name) => ['ffmpeg', 'gcc', 'git', 'python3'].includes(name))).toEqual([])
})

test('as any user, with a read-only root, it takes uploads, shows a gallery, and keeps both over a restart', async ({
  skip,
}) => {
  requireOrSkip(skip, [imageBuilder])
  const dataDir = await createVolume()
  const first = await startImage(dataDir)
  const { api } = await signInAt(first.url)
  const event = await createEvent(api)
  await uploadPhotos(api, event.id, 2)
  const address = new URL(event.share_url).pathname
  expect(await (await fetch(first.url + address)).text()).toContain('<ul class="grid')
  await expect(inImage(dataDir, ['touch', '/app/new'])).rejects.toThrow('Read-only file system')
  expect((await inImage(dataDir, healthCheck, { PORT: new URL(first.url).port })).stderr).toBe('')
  await first.end('SIGTERM')
  expect(first.output()).toContain('"msg":"Stopped"')
  await expect(inImage(dataDir, healthCheck, { PORT: new URL(first.url).port })).rejects.toThrow()

  const second = await startImage(dataDir)
  const page = await fetch(second.url + address)
  const [, thumbnail = 'none'] = /src="(\/api\/gallery\/[^"]+)"/.exec(await page.text()) ?? []
  const cookie = page.headers.getSetCookie().map((one) => one.split(';')[0])
  const picture = await fetch(second.url + thumbnail, { headers: { Cookie: cookie.join('; ') } })
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  await second.end('SIGTERM')
})

test('it makes a gallery from a folder with one command', async ({ skip }) => {
  requireOrSkip(skip, [imageBuilder])
  const dataDir = await createVolume()
  await cp('docs/pictures', join(dataDir, 'pictures'), { recursive: true })
  const { stdout } = await inImage(dataDir, ['proofroom', 'share', 'pictures', '--name', 'Ana & Ben'])
  const service = await startImage(dataDir)
  const address = new URL(stdout.trim().split('\n').at(-1) ?? '').pathname
  expect(await (await fetch(service.url + address)).text()).toContain('<ul class="grid')
  await service.end('SIGTERM')
})

test('it upgrades a data folder of the version before: links, passwords, tokens and choices stay', async ({ skip }) => {
  requireOrSkip(skip, [imageBuilder])
  const dataDir = await createVolume()
  await unpackPreviousData(dataDir)
  await run('chown', ['-R', `${uid}:0`, dataDir])
  const service = await startImage(dataDir)
  const { eventId, slug, shareToken, galleryPassword, apiToken } = previousData
  const { body: list } = await createClient(service.url, apiToken).get(`/api/v1/events/${eventId}/photos`)
  expect(list.photos.map((photo: { source_filename: string }) => photo.source_filename)).toEqual(previousData.names)
  expect(list.photos[1]).toMatchObject({ rating: 5, original_filename: 'IMG_0002.jpg' })
  const login = { username: 'admin', password: previousData.adminPassword }
  expect((await createClient(service.url).post('/api/auth/admin/login', login)).status).toBe(200)
  expect(await (await fetch(`${service.url}/gallery/${slug}/${shareToken}`)).text()).toContain('type="password"')
  const entered = await createClient(service.url).post('/api/auth/gallery/verify', { slug, password: galleryPassword })
  const thumbnail = await createClient(service.url, entered.body.token).get(`/api/gallery/${slug}/thumbnail/1`)
  expect(thumbnail.status).toBe(200)
  await service.end('SIGTERM')
})

test('it lists the licenses and versions of what it contains, Debian packages and Node too', async ({ skip }) => {
  requireOrSkip(skip, [imageBuilder])
  const { folder } = await getImage()
  const licenses = await readFile(join(folder, 'app/THIRD_PARTY_LICENSES'), 'utf8')
  const materials = await readFile(join(folder, 'app/sbom.cdx.json'), 'utf8')
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(materials)).toBeNull()
  const names = JSON.parse(materials).components.map(({ name }: { name: string }) => name)
  const debian = await run('chroot', [folder, 'dpkg-query', '--show', '--showformat=${Package}\n'])
  const installed = debian.stdout.trim().split('\n')
  expect(installed).toContain('tini')
  expect([...installed, 'Node.js', 'sharp', 'FFmpeg'].filter((name) => !names.includes(name))).toEqual([])
  expect(names.filter((name: string) => /win32|darwin|musl/.test(name))).toEqual([])
  expect(installed.filter((name) => !licenses.includes(`\n${name} `))).toEqual([])
  expect(licenses).toContain('https://snapshot.debian.org/package/bash/')
})

const healthCheck = parseArray(getImageInstruction('HEALTHCHECK'))

/** The folder has the rights that the image gives its own. */
async function createVolume(): Promise<string> {
  const folder = await temporaryFolder()
  await chmod(folder, 0o770)
  return folder
}

async function startImage(dataDir: string): Promise<ServiceProcess> {
  const image = await getImage()
  const args = enterContainer(image, dataDir, uid, [...image.entrypoint, ...image.command])
  const environment = { ...image.environment, ADMIN_PASSWORD: adminPassword }
  const service = await startProgram('unshare', args, { dataDir, port: await reservePort(), cwd: '/', environment })
  onTestFinished(() => service.end('SIGKILL'))
  return service
}

async function inImage(dataDir: string, command: string[], environment: Record<string, string> = {}) {
  const image = await getImage()
  return run('unshare', enterContainer(image, dataDir, uid, command), { env: { ...image.environment, ...environment } })
}

/** A script that makes a base image from Debian's packages. Without it, buildah pulls the base image. */
const baseScript = resolve(root, process.env.IMAGE_BASE ?? '../shared/tools/image-base')

/** Not the name of an image that somebody uses. */
const tag = 'localhost/proofroom-test'

type ContainerImage = {
  /** The root folder of the image. */
  folder: string
  /** In bytes, uncompressed. */
  size: number
  environment: Record<string, string>
  /** ENTRYPOINT and CMD. */
  entrypoint: string[]
  command: string[]
  remove: () => Promise<void>
}

/** Builds the Dockerfile with buildah and unpacks the image. Needs root. Takes two to three minutes. */
async function buildImage(): Promise<ContainerImage> {
  const folder = await mkdtemp(join(tmpdir(), 'proofroom-image-'))
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', ...(await makeBase(folder)) }
  const buildah = async (...args: string[]) => (await run('buildah', args, { env, maxBuffer: 1e8 })).stdout.trim()
  const policy = existsSync(join(folder, 'policy.json')) ? ['--signature-policy', join(folder, 'policy.json')] : []
  const options = ['--layers=false', '--pull=missing', '--isolation=chroot', '--format=docker', ...policy]
  await buildah('build', ...options, '--tag', tag, root)
  const container = await buildah('from', '--pull-never', tag)
  const mounted = await buildah('mount', container)
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', tag))
  const { Env, Entrypoint, Cmd } = Docker.config as { Env: string[]; Entrypoint: string[]; Cmd: string[] }
  const { stdout: size } = await run('du', ['--summarize', '--bytes', '--one-file-system', mounted])
  return {
    folder: mounted,
    size: Number.parseInt(size, 10),
    environment: Object.fromEntries(Env.map((line) => line.split(/=(.*)/s))),
    entrypoint: Entrypoint,
    command: Cmd,
    async remove() {
      await buildah('rm', container)
      await buildah('rmi', '--force', tag)
      await run('rm', ['-rf', folder])
    },
  }
}

/** Returns the variables with which buildah finds the base image. */
async function makeBase(folder: string): Promise<NodeJS.ProcessEnv> {
  if (!existsSync(baseScript)) return {}
  const node = join(root, 'node_modules/node/bin/node')
  const { stdout } = await run('bash', [baseScript, '--node', node, '--dir', folder], { maxBuffer: 1e8 })
  const assignments = stdout.split('\n').flatMap((line) => /^(.*)/.exec(line)?.[1]?.split(' ') ?? [])
  return Object.fromEntries(assignments.map((one) => one.split(/=(.*)/s)))
}

const enter = `
image=$1 data=$2 user=$3; shift 3
mount --bind "$image" "$image"
mount --bind "$data" "$image/data"
mount -o remount,bind,ro "$image"
mount -t tmpfs tmpfs "$image/tmp"
mount --rbind /proc "$image/proc"
mount --rbind /dev "$image/dev"
exec chroot --userspec="$user" "$image" env --chdir=/data "$@"`

/**
 * Returns the arguments of `unshare` that run a command as in a container with a read-only root: as any user, in the
 * group root, with its own mounts.
 */
const enterContainer = ({ folder }: ContainerImage, data: string, uid: number, command: string[]): string[] => [
  ...['--mount', 'sh', '-euc', enter, 'sh', folder, data, `${uid}:0`],
  ...command,
]
