import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../platform/configuration/config.ts'
import { secretNames } from '../platform/configuration/misspelt-variables.ts'
import { variables } from '../platform/configuration/variables.ts'
import { type DataOwner, findOtherOwner } from '../platform/process/data-owner.ts'
import { findOwnProgram } from '../platform/process/own-program.ts'
import { t } from '../platform/text/command-messages.ts'
import { quote } from '../platform/text/quote.ts'
import { CommandRejected } from './command-errors.ts'
import { findUnusableData } from './unusable-data.ts'

/** The file of `--env`, the names that are in it more than once, and the numbers of the lines that are not `NAME=value`. */
export type VariablesFile = { path: string; repeatedNames: string[]; ignoredLines: number[] }

let variablesFile: VariablesFile | null = null

/** Remembers the file of `--env`, which the launcher has read. */
export function setVariablesFile(file: VariablesFile | null): void {
  variablesFile = file
}

/** Returns the file of `--env`; null without the option. */
export const getVariablesFile = (): VariablesFile | null => variablesFile

export const getEnvironment = (): Record<string, string | undefined> => process.env

/** Whether DATA_DIR is set. Otherwise it is the folder `data` of the current folder. */
export const isDataDirNamed = (): boolean => Boolean(process.env.DATA_DIR?.trim())

/** Reads the variables of a command that does not use DATA_DIR. Throws ConfigProblems. */
export const readCommandVariables = (overrides: Record<string, string> = {}): Config =>
  readConfig({ ...process.env, ...overrides })

/**
 * Reads the variables. Throws ConfigProblems, and CommandRejected with the line to run instead if the data belong to
 * another user, or with the line that fixes files that this user cannot use.
 */
export function readCommandConfig(overrides: Record<string, string> = {}): Config {
  const config = readCommandVariables(overrides)
  const owner = findOtherOwner(config.dataDir)
  if (owner !== null) {
    const text = t('dataOfOther', { dataDir: config.dataDir, user: owner.name })
    throw new CommandRejected(`${text}\n  ${formatLineFor(owner, config)}`)
  }
  const unusable = findUnusableData(config)
  if (unusable !== null) {
    throw new CommandRejected(`${t('giveRights', { problem: unusable.text })}\n  ${unusable.line}`)
  }
  return config
}

/** Returns the command line of this process as the given user, without any secret. */
function formatLineFor({ uid, gid, name }: DataOwner, { dataDir }: Config): string {
  const isSet = (variable: string) => Boolean(process.env[variable]?.trim())
  const plain = Object.keys(variables).filter((one) => one !== 'DATA_DIR' && !secretNames.includes(one) && isSet(one))
  const files = secretNames.map((one) => `${one}_FILE`).filter(isSet)
  // Variables of the file are read again. An explicit DATA_DIR is harmless.
  const named = variablesFile === null ? [...plain, ...files] : []
  const settings = [`DATA_DIR=${quote(dataDir)}`, ...named.map((one) => `${one}=${quote(process.env[one] ?? '')}`)]
  const secrets = variablesFile === null ? secretNames.filter(isSet) : []
  const line = [...settings, formatCommand()].join(' ')
  if (hasSudo() || process.getuid?.() !== 0) {
    const kept = secrets.length > 0 ? ` --preserve-env=${secrets.join(',')}` : ''
    return `sudo -u ${quote(name)}${kept} ${line}`
  }
  // Without sudo, as in a container. This keeps the environment.
  const groups = name.startsWith('#') ? '--clear-groups' : '--init-groups'
  return `setpriv --reuid=${uid} --regid=${gid} ${groups} env ${line}`
}

/** Returns this command line as it was typed, with the file of `--env` and further arguments. */
export function formatCommand(...more: string[]): string {
  const file = variablesFile === null ? [] : ['--env', variablesFile.path]
  return [findOwnProgram(), ...[...process.argv.slice(2), ...file, ...more].map(quote)].join(' ')
}

const hasSudo = (): boolean => ['/usr/bin/sudo', '/bin/sudo', '/usr/local/bin/sudo'].some((path) => existsSync(path))
