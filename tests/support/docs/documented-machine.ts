import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { jpeg } from '../media/pictures.ts'
import { reservePort } from '../run/reserved-port.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import type { CommandResult } from '../service/proofroom-command.ts'
import { type ServiceProcess, startByNode } from '../service/service-process.ts'

const root = join(import.meta.dirname, '../../..')
const passphrase = 'for our backups'

/** The folders that the pages for administrators name. */
const documentedFolders = ['/etc', '/opt', '/var/lib/proofroom', '/var/backups', '/srv', '/media', '/tmp/wedding']

/** Runs the rest of the line as this user: other users and their files need root. */
const asThisUser = `sudo() { if [ "$1" = -u ]; then shift 2; fi; env "$@"; }
`

/**
 * A folder that replaces the root folder of the documents. It has the variables and the pictures of the pages, and
 * `proofroom` on the path.
 */
export type DocumentedMachine = {
  folder: string
  dataDir: string
  port: number
  /** Starts the service with the variables of this machine and the ones given. */
  start: (environment?: Record<string, string>) => Promise<ServiceProcess>
  /** Runs a block of a page. The output has the paths of the page. */
  run: (block: string, environment?: Record<string, string>) => Promise<CommandResult>
  /** Returns a block with the paths of this machine. */
  translate: (block: string) => string
}

export async function createDocumentedMachine(): Promise<DocumentedMachine> {
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'var/lib/proofroom')
  const port = await reservePort()
  for (const path of [
    'etc',
    'opt',
    'srv',
    'var/lib',
    'var/backups',
    'tmp',
    'bin',
    'home/Pictures/wedding',
    'media/card',
  ])
    await mkdir(join(folder, path), { recursive: true })
  await symlink(root, join(folder, 'opt/proofroom'))
  await symlink(join(root, 'bin/proofroom'), join(folder, 'bin/proofroom'))
  const variables = { DATA_DIR: dataDir, PORT: String(port), BACKUP_PASSPHRASE: passphrase }
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(join(folder, 'etc/proofroom.env'), lines.join(''))
  for (const seed of [1, 2, 3]) await writeFile(join(folder, `home/Pictures/wedding/${seed}.jpg`), await jpeg({ seed }))

  const translate = (block: string): string =>
    documentedFolders
      .reduce(
        (text, path) => text.replaceAll(new RegExp(`(?<=^|[\\s=])${path}(?=[/\\s]|$)`, 'gm'), folder + path),
        block,
      )
      .replaceAll(' -o proofroom -g proofroom', '')
  const untranslate = (output: string): string =>
    output.replaceAll(folder, '').replaceAll(`writable for ${userInfo().username}`, 'writable for proofroom')

  return {
    folder,
    dataDir,
    port,
    translate,
    async start(environment = {}) {
      await mkdir(dataDir, { recursive: true, mode: 0o700 })
      return startByNode({ dataDir, port, environment: { ...(await readVariables(folder)), ...environment } })
    },
    run: (block, environment = {}) =>
      new Promise((resolve) => {
        const env = { HOME: join(folder, 'home'), PATH: `${folder}/bin:${process.env.PATH}`, ...environment }
        const options = { cwd: join(folder, 'opt/proofroom'), env, timeout: 120_000 }
        const script = asThisUser + translate(block)
        const child = execFile(
          'bash',
          ['--norc', '-euo', 'pipefail', '-c', script],
          options,
          (_error, stdout, stderr) =>
            resolve({ code: child.exitCode, stdout: untranslate(stdout), stderr: untranslate(stderr) }),
        )
      }),
  }
}

async function readVariables(folder: string): Promise<Record<string, string>> {
  const lines = (await readFile(join(folder, 'etc/proofroom.env'), 'utf8')).trim().split('\n')
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}
