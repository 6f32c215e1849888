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
import { getCommandLanguage, t } from '../../platform/text/command-messages.ts'
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
  const values = { version, node: process.versions.node, sharp: sharp.versions.sharp ?? '', sqlite: String(sqlite) }
  const text = commit === null ? t('versions', values) : t('versionsOfCommit', { ...values, commit })
  const isNew = Number(process.versions.node.split('.')[0]) >= minNodeMajor
  return isNew ? ok('checkVersions', text) : error('checkVersions', text, t('nodeOldFix', { version: minNodeMajor }))
}

export function checkVariables(environment: Record<string, string | undefined>, file: VariablesFile | null): Finding[] {
  const misspelt = findMisspeltVariables(environment).map(({ name, meant }) =>
    warning('checkVariables', t('variableUnknown', { name }), t('variableUnknownFix', { meant })),
  )
  const { path, repeatedNames, ignoredLines } = file ?? { path: '', repeatedNames: [], ignoredLines: [] }
  const repeated = repeatedNames.map((name) =>
    warning('checkVariables', t('variableRepeated', { name, path }), t('variableRepeatedFix')),
  )
  const ignored = ignoredLines.map((line) =>
    warning('checkVariables', t('lineIgnored', { line, path }), t('lineIgnoredFix')),
  )
  const found = [...misspelt, ...repeated, ...ignored]
  return found.length > 0 ? found : [ok('checkVariables', t('variablesValid'))]
}

export async function checkFolder(config: Config): Promise<Finding[]> {
  const check = 'checkFolder'
  const { dataDir } = config
  if (!existsSync(dataDir)) return [await checkMissingFolder(dataDir)]
  const stats = statSync(dataDir)
  if (!stats.isDirectory()) return [error(check, t('dataDirNoFolder', { dataDir }), t('dataDirNoFolderFix'))]
  const user = findUserName(process.getuid?.() ?? 0)
  const owner = findOtherOwner(dataDir)
  if (owner !== null) {
    const text = t('dataDirOfOther', { dataDir, owner: owner.name, user })
    return [error(check, text, t('dataDirOfOtherFix', { owner: owner.name }))]
  }
  const unusable = findUnusableData(config) ?? (config.s3 === null ? await findUnusableMedia(config) : null)
  if (unusable !== null) return [error(check, unusable.text, t('runLine', { line: unusable.line }))]
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    const fix = code === 'EACCES' ? describeFolderFix(dataDir) : t('dataDirUnwritableFix')
    return [error(check, t('dataDirUnwritable', { user, dataDir, code }), `${fix}.`)]
  }
  if (process.getuid?.() === 0 && stats.uid !== 0) {
    const values = { user: findUserName(stats.uid), dataDir }
    return [warning(check, t('filesOfRoot', values), t('filesOfRootFix', values))]
  }
  const isOpen = (stats.mode & 0o007) !== 0
  const values = { dataDir, mode: (stats.mode & 0o777).toString(8).padStart(4, '0'), user }
  if (!isOpen) return [ok(check, t('dataDirWritable', values))]
  return [warning(check, t('dataDirOpen', values), t('dataDirOpenFix', { dataDir }))]
}

async function checkMissingFolder(dataDir: string): Promise<Finding> {
  let parent = join(dataDir, '..')
  while (!existsSync(parent)) parent = join(parent, '..')
  try {
    await access(parent, constants.W_OK | constants.X_OK)
    return ok('checkFolder', t('dataDirMissing', { dataDir }))
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException
    return error('checkFolder', t('dataDirImpossible', { dataDir, parent, code }), t('dataDirImpossibleFix'))
  }
}

const lowBytes = 2 ** 30
/** The database may not be able to write with less. */
const fullBytes = 10 * 2 ** 20

export async function checkDisk({ dataDir, s3 }: Config): Promise<Finding> {
  let folder = dataDir
  while (!existsSync(folder)) folder = join(folder, '..')
  const { bavail, blocks, bsize } = await statfs(folder)
  const size = (bytes: number) => formatByteSize(bytes, getCommandLanguage())
  const text = t('diskFree', { free: size(bavail * bsize), size: size(blocks * bsize), folder })
  if (bavail * bsize > lowBytes) return ok('checkDisk', text)
  const report = bavail * bsize > fullBytes ? warning : error
  return report('checkDisk', text, t(s3 === null ? 'diskLowFix' : 'diskOfUploadsLowFix'))
}

/** `nodes` is the number of services on the database of PostgreSQL; null if it is not known. */
export async function checkAddress(config: Config, nodes: number | null): Promise<Finding> {
  const { port, host, metricsPort, dataDir, databaseUrl } = config
  const running = findRunningService(dataDir)
  const isAtPort = running !== null && new URL(running.address).port === String(port)
  const answering = isAtPort ? null : await findServiceAtPort(config)
  if (running !== null) {
    const text = t('serviceRuns', running)
    if (answering === null) return ok('checkAddress', text)
    const both = { running: text, address: answering, dataDir }
    const other = databaseUrl === null ? t('otherServiceToo', both) : t('otherServiceTooOnDatabase', both)
    return warning('checkAddress', other, t('otherServiceTooFix'))
  }
  if (answering !== null) {
    // Nodes on PostgreSQL do not lock their folder.
    if (databaseUrl !== null && nodes !== 0) return ok('checkAddress', t('someServiceAnswers', { address: answering }))
    const key = databaseUrl === null ? 'otherService' : 'otherServiceOnDatabase'
    return error('checkAddress', t(key, { address: answering, dataDir }), t(`${key}Fix`))
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
      const portFix = code === 'EADDRINUSE' ? 'portInUseFix' : 'portDeniedFix'
      const text = t('addressUnusable', { host, port: one, problem: describeError(cause) })
      return error('checkAddress', text, isPort ? t(portFix, { name }) : t('hostFix'))
    }
  }
  return ok('checkAddress', t('addressFree', { host, port }))
}
