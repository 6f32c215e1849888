import { execFile } from 'node:child_process'
import { chmod, chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Requirement } from '../run/requirements.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import type { CommandResult } from './proofroom-command.ts'

const root = join(import.meta.dirname, '../../..')

/** The user `nobody`, who owns nothing of the installation. */
export const uid = 65_534

export const rootOnLinux: Requirement = {
  name: 'root on Linux',
  isMet: () => process.platform === 'linux' && process.getuid?.() === 0,
  remedy: 'Run the tests as root.',
}

/** Mounts the checkout read-only in a separate mount namespace, links it as `proofroom`, and becomes a user. */
const enter = `set -e
mount --bind "$1" "$2"
mount -o remount,bind,ro "$2"
mount -t tmpfs tmpfs /usr/local/bin
ln -s "$2/bin/proofroom" /usr/local/bin/proofroom
export PATH=/usr/local/bin:/usr/bin:/bin user="$3"
cd "$4"
shift 4
if [ "$user" = 0 ]; then exec "$@"; fi
exec setpriv --reuid="$user" --regid="$user" --clear-groups "$@"`

export type Place = { installation: string; home: string; dataDir: string }

/** Returns folders of an installation of root, and of a user without rights on it. */
export async function createPlace(): Promise<Place> {
  const folder = await temporaryFolder()
  await chmod(folder, 0o755)
  const place = { installation: join(folder, 'app'), home: join(folder, 'home'), dataDir: join(folder, 'data') }
  await mkdir(place.installation)
  for (const path of [place.home, place.dataDir]) {
    await mkdir(path, { mode: 0o700 })
    await chown(path, uid, uid)
  }
  return place
}

/** Returns the arguments of `unshare` for a command of a user. */
export const enterAs = (user: number, { installation, home }: Place, command: string[]): string[] => [
  '--mount',
  'sh',
  '-c',
  enter,
  'enter',
  root,
  installation,
  String(user),
  home,
  ...command,
]

/** Runs a command as a user, with the installation of root. */
export function runAs(user: number, place: Place, command: string[], environment: Record<string, string> = {}) {
  const env = { DATA_DIR: place.dataDir, ...environment }
  return new Promise<CommandResult>((resolve) => {
    const child = execFile(
      'unshare',
      enterAs(user, place, command),
      { env: { PATH: process.env.PATH, ...env } },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}
