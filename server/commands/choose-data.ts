import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { databaseLocation } from '../create-app-context.ts'
import type { Config } from '../platform/configuration/config.ts'
import { findRunningService } from '../platform/process/service-lock.ts'
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
    const text = `There are no data of Proofroom in ${dataDir}. Set DATA_DIR to the folder of the service.`
    throw new CommandRejected(elsewhere === null ? text : `${text} A service answers at ${elsewhere}.`)
  }
  if (isConfirmed || (isDataDirNamed() && elsewhere === null)) {
    printError(`Creating new data in ${dataDir}.`)
    return config
  }
  if (await confirm(describeNewData(config, elsewhere), 'Create them?', formatCommand('--yes'))) return config
  throw new CommandRejected('Nothing was changed.')
}

/** Says which data are used. Asks if they are not those of the service on this machine. */
async function announceData(config: Config): Promise<void> {
  const isServed = config.databaseUrl !== null || findRunningService(config.dataDir) !== null
  const elsewhere = isServed ? null : await findServiceAtPort(config)
  if (elsewhere === null) return printError(describeData(config))
  const situation = `The service that answers at ${elsewhere} does not use the data in ${config.dataDir}.`
  if (await confirm(situation, 'Use them?', `DATA_DIR=${config.dataDir} ${formatCommand()}`)) return
  throw new CommandRejected('Nothing was changed.')
}

function describeData({ dataDir, databaseUrl }: Config): string {
  if (databaseUrl !== null) return `Using the database of DATABASE_URL and the folder ${dataDir}.`
  const running = findRunningService(dataDir)
  return `Using the data in ${dataDir}${running === null ? '' : `, which the service at ${running.address} uses, too`}.`
}

function describeNewData({ dataDir }: Config, elsewhere: string | null): string {
  const text = `There are no data of Proofroom in ${dataDir} yet.`
  return elsewhere === null ? text : `${text} The service that answers at ${elsewhere} uses other data.`
}

/** Asks on a terminal. Otherwise, throws CommandRejected with the command line that answers yes. */
async function confirm(situation: string, question: string, line: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new CommandRejected(
      `${situation} To use this folder all the same, run:\n  ${line}\n` +
        'To use other data, set DATA_DIR to their folder. To share through a running service, add --url and --token.',
    )
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal
    .question(showControls(`${situation} ${question} [y/N] `))
    .finally(() => terminal.close())
  return /^y(es)?$/i.test(answer.trim())
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
