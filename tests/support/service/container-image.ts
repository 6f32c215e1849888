import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** A script that makes a base image from Debian's packages. Without it, buildah pulls the base image. */
const baseScript = resolve(root, process.env.IMAGE_BASE ?? '../shared/tools/image-base')

/** Not the name of an image that somebody uses. */
const tag = 'localhost/proofroom-test'

export type ContainerImage = {
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
export async function buildImage(): Promise<ContainerImage> {
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
  const assignments = stdout.split('\n').flatMap((line) => /^export (.*)/.exec(line)?.[1]?.split(' ') ?? [])
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
export const enterContainer = ({ folder }: ContainerImage, data: string, uid: number, command: string[]): string[] => [
  ...['--mount', 'sh', '-euc', enter, 'sh', folder, data, `${uid}:0`],
  ...command,
]
