import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { databaseLocation } from '../create-app-context.ts'
import type { Config } from '../platform/configuration/config.ts'
import { findRunningService } from '../platform/process/service-lock.ts'
import { t } from '../platform/text/command-messages.ts'
import { formatCommand, isDataDirNamed, readCommandConfig } from './command-environment.ts'
import { CommandRejected } from './command-errors.ts'
import { printError, showControls } from './print.ts'

/**
 * What a command does if DATA_DIR has no data yet: `never` rejects the command, `ask` creates the data if DATA_DIR is
 * set, and asks otherwise.
 */
export type DataChoice = { creates: 'never' | 'ask'; isConfirmed?: boolean }

/** Checks for the SQLite file first, because opening a missing database would create it. */
export function hasInstance(config: Config): boolean {
  const place = databaseLocation(config)
  return 'url' in place || existsSync(place.file)
}

/**
 * Returns the configuration of a command that works on DATA_DIR. Says on stderr which data it uses, unless DATA_DIR
 * names them. Throws CommandRejected if there are no data and the operator has not agreed to create some.
 */
export async function chooseData({ creates, isConfirmed = false }: DataChoice): Promise<Config> {
  const config = readCommandConfig()
  const { dataDir } = config
  if (hasInstance(config)) {
    if (!isDataDirNamed()) await announceData(config)
    return config
  }
  const elsewhere = await findServiceAtPort(config)
  if (creates === 'never') {
    const text = t('noData', { dataDir })
    throw new CommandRejected(elsewhere === null ? text : `${text} ${t('serviceAnswers', { address: elsewhere })}`)
  }
  if (isConfirmed || (isDataDirNamed() && elsewhere === null)) {
    printError(t('creatingData', { dataDir }))
    return config
  }
  if (await confirm('askToCreate', describeNewData(config, elsewhere), formatCommand('--yes'))) return config
  throw new CommandRejected(t('nothingChanged'))
}

/** Says which data are used. Asks if they are not those of the service on this machine. */
async function announceData(config: Config): Promise<void> {
  const isServed = config.databaseUrl !== null || findRunningService(config.dataDir) !== null
  const elsewhere = isServed ? null : await findServiceAtPort(config)
  if (elsewhere === null) return printError(describeData(config))
  const situation = t('serviceUsesNotThese', { address: elsewhere, dataDir: config.dataDir })
  if (await confirm('askToUse', situation, `DATA_DIR=${config.dataDir} ${formatCommand()}`)) return
  throw new CommandRejected(t('nothingChanged'))
}

function describeData({ dataDir, databaseUrl }: Config): string {
  if (databaseUrl !== null) return t('usingDatabase', { dataDir })
  const running = findRunningService(dataDir)
  return running === null ? t('usingData', { dataDir }) : t('usingServedData', { dataDir, address: running.address })
}

function describeNewData({ dataDir }: Config, elsewhere: string | null): string {
  const text = t('noDataYet', { dataDir })
  return elsewhere === null ? text : `${text} ${t('serviceUsesOtherData', { address: elsewhere })}`
}

/** Asks on a terminal. Otherwise, throws CommandRejected with the command line that answers yes. */
async function confirm(question: 'askToCreate' | 'askToUse', situation: string, line: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new CommandRejected(t('confirmByCommand', { situation, line }))
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(showControls(`${t(question, { situation })} `)).finally(() => terminal.close())
  return t('answersForYes').split(' ').includes(answer.trim().toLowerCase())
}

const probeMs = 5000

/** Returns the address of a Proofroom service on the port of the configuration; null if none answers. */
export async function findServiceAtPort({ port }: Config): Promise<string | null> {
  if (port === 0) return null
  const url = `http://localhost:${port}`
  try {
    const response = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(probeMs) })
    return ((await response.json()) as { status?: unknown }).status === 'ok' ? url : null
  } catch {
    return null
  }
}
