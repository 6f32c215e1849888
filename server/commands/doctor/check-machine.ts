import { existsSync, statSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { formatByteSize } from '../../health/format-byte-size.ts'
import type { Config } from '../../platform/configuration/config.ts'
import { findMisspeltVariables } from '../../platform/configuration/misspelt-variables.ts'
import { assertPortFree } from '../../platform/process/assert-port-free.ts'
import { describeFolderFix } from '../../platform/process/data-folder.ts'
import { findOtherOwner, findUserName } from '../../platform/process/data-owner.ts'
import { findRunningService } from '../../platform/process/service-lock.ts'
import { readCommit, version } from '../../platform/version.ts'
import { findServiceAtPort } from '../choose-data.ts'
import type { VariablesFile } from '../command-environment.ts'
import { findUnusableData, findUnusableMedia } from '../unusable-data.ts'
import { describeError, error, type Finding, ok, warning } from './finding.ts'

const minNodeMajor = 24

export async function checkVersions(): Promise<Finding> {
  const { default: sharp } = await import('sharp')
  const { default: Sqlite } = await import('better-sqlite3')
  const memory = new Sqlite(':memory:')
  const sqlite = memory.prepare('select sqlite_version()').pluck().get()
  memory.close()
  const commit = readCommit()
  const proofroom = commit === null ? version : `${version} (commit ${commit})`
  const text = `Proofroom ${proofroom}, Node.js ${process.versions.node}, sharp ${sharp.versions.sharp}, SQLite ${sqlite}`
  const isNew = Number(process.versions.node.split('.')[0]) >= minNodeMajor
  return isNew ? ok('Versions', text) : error('Versions', text, `Install Node.js ${minNodeMajor} or later.`)
}

export function checkVariables(environment: Record<string, string | undefined>, file: VariablesFile | null): Finding[] {
  const misspelt = findMisspeltVariables(environment).map(({ name, meant }) =>
    warning('Variables', `${name} is not read`, `Did you mean ${meant}? Rename or remove the variable.`),
  )
  const repeated = (file?.repeatedNames ?? []).map((name) =>
    warning('Variables', `${name} is more than once in ${file?.path}; the last one counts`, 'Remove the others.'),
  )
  const ignored = (file?.ignoredLines ?? []).map((line) =>
    warning('Variables', `Line ${line} of ${file?.path} is ignored`, 'Write it as NAME=value, or begin it with #.'),
  )
  const found = [...misspelt, ...repeated, ...ignored]
  return found.length > 0 ? found : [ok('Variables', 'All values are valid, and no name looks misspelt')]
}

export async function checkFolder(config: Config): Promise<Finding[]> {
  const check = 'Data folder'
  const { dataDir } = config
  if (!existsSync(dataDir)) return [await checkMissingFolder(dataDir)]
  const stats = statSync(dataDir)
  if (!stats.isDirectory()) return [error(check, `${dataDir} is not a folder`, 'Set DATA_DIR to a folder.')]
  const user = findUserName(process.getuid?.() ?? 0)
  const owner = findOtherOwner(dataDir)
  if (owner !== null) {
    const text = `${dataDir} belongs to ${owner.name}, and this command runs as ${user}`
    return [error(check, text, `Run it as the user of the service: sudo -u ${owner.name} …`)]
  }
  const unusable = findUnusableData(config) ?? (config.s3 === null ? await findUnusableMedia(config) : null)
  if (unusable !== null) return [error(check, unusable.text, `Run: ${unusable.line}`)]
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const fix = code === 'EACCES' ? describeFolderFix(dataDir) : 'Set DATA_DIR to a folder that can be written'
    return [error(check, `${user} cannot write to ${dataDir} (${code})`, `${fix}.`)]
  }
  if (process.getuid?.() === 0 && stats.uid !== 0) {
    const name = findUserName(stats.uid)
    const fix = `If the service runs as ${name}, give it all of them: sudo chown -R ${name} ${dataDir}`
    return [warning(check, `${dataDir} belongs to ${name}, but files in it belong to root`, fix)]
  }
  const isOpen = (stats.mode & 0o007) !== 0
  const text = `${dataDir}, mode ${(stats.mode & 0o777).toString(8).padStart(4, '0')}, writable for ${user}`
  return [isOpen ? warning(check, `${text}, and open to other users`, `Run chmod o-rwx ${dataDir}`) : ok(check, text)]
}

async function checkMissingFolder(dataDir: string): Promise<Finding> {
  let parent = join(dataDir, '..')
  while (!existsSync(parent)) parent = join(parent, '..')
  try {
    await access(parent, constants.W_OK | constants.X_OK)
    return ok('Data folder', `${dataDir} does not exist yet; the first start creates it`)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    const fix = `Create it for the user of the service, or set DATA_DIR to another folder.`
    return error('Data folder', `${dataDir} does not exist, and ${parent} is not writable (${code})`, fix)
  }
}

const lowBytes = 2 ** 30
/** The database may not be able to write with less. */
const fullBytes = 10 * 2 ** 20

export async function checkDisk({ dataDir, s3 }: Config): Promise<Finding> {
  let folder = dataDir
  while (!existsSync(folder)) folder = join(folder, '..')
  const { bavail, blocks, bsize } = await statfs(folder)
  const size = (bytes: number) => formatByteSize(bytes, 'en')
  const text = `${size(bavail * bsize)} of ${size(blocks * bsize)} free in ${folder}`
  if (bavail * bsize > lowBytes) return ok('Disk', text)
  const what = s3 === null ? 'New photos are rejected' : 'Uploads are staged here and rejected'
  const report = bavail * bsize > fullBytes ? warning : error
  return report('Disk', text, `${what} when the disk is full: free some space.`)
}

/** `nodes` is the number of services on the database of PostgreSQL; null if it is not known. */
export async function checkAddress(config: Config, nodes: number | null): Promise<Finding> {
  const { port, host, metricsPort, dataDir, databaseUrl } = config
  const running = findRunningService(dataDir)
  const isAtPort = running !== null && new URL(running.address).port === String(port)
  const answering = isAtPort ? null : await findServiceAtPort(config)
  const data = databaseUrl === null ? `the data in ${dataDir}` : 'the database of DATABASE_URL'
  if (running !== null) {
    const text = `The service runs (process ${running.pid}, version ${running.version}) at ${running.address}`
    if (answering === null) return ok('Address', text)
    const fix = 'Set PORT to that of the service, or DATA_DIR to the folder of the other one.'
    return warning('Address', `${text}. Another one answers at ${answering}, and does not use ${data}`, fix)
  }
  if (answering !== null) {
    // Nodes on PostgreSQL do not lock their folder.
    if (databaseUrl !== null && nodes !== 0) return ok('Address', `A Proofroom service answers at ${answering}`)
    const [own, other] = databaseUrl === null ? ['DATA_DIR', 'folder'] : ['DATABASE_URL', 'database']
    const fix = `Set ${own} to the ${other} of that service, or PORT to another port.`
    return error('Address', `The service that answers at ${answering} does not use ${data}`, fix)
  }
  for (const [name, one] of [
    ['PORT', port],
    ['METRICS_PORT', metricsPort],
  ] as const) {
    if (one === null) continue
    try {
      await assertPortFree(one, host)
    } catch (cause) {
      const { code = '' } = cause as NodeJS.ErrnoException
      const isPort = code === 'EADDRINUSE' || code === 'EACCES'
      const who = code === 'EADDRINUSE' ? 'Find the program that uses it (sudo ss -ltnp), or set' : 'Set'
      const fix = isPort ? `${who} ${name} to another port.` : 'Set HOST to an address of this machine, or to 0.0.0.0.'
      return error('Address', `The service cannot listen on ${host}, port ${one}: ${describeError(cause)}`, fix)
    }
  }
  return ok('Address', `The service is not running; ${host}, port ${port}, is free`)
}
