import { type Config, ConfigProblems } from '../../platform/configuration/config.ts'
import { t } from '../../platform/text/command-messages.ts'
import { getEnvironment, getVariablesFile, readCommandVariables } from '../command-environment.ts'
import { exitCodes } from '../command-errors.ts'
import { print, printJson } from '../print.ts'
import { checkClock, checkMail, checkStore } from './check-connections.ts'
import { type ClockSample, checkDatabase } from './check-database.ts'
import { checkAddress, checkDisk, checkFolder, checkVariables, checkVersions } from './check-machine.ts'
import { checkPublicAddress } from './check-public-address.ts'
import { type Check, describeError, error, type Finding, type Severity } from './finding.ts'

export type DoctorOptions = { json?: boolean }

/** Prints all findings. Sets the exit code if one of them is an error. Changes and creates nothing. */
export async function runDoctor({ json = false }: DoctorOptions): Promise<void> {
  const findings = await collectFindings()
  const has = (severity: Severity) => findings.some((finding) => finding.severity === severity)
  const status: Severity = has('error') ? 'error' : has('warning') ? 'warning' : 'ok'
  if (json) printJson({ status, checks: findings }, 2)
  else for (const finding of findings) print(formatFinding(finding))
  if (status === 'error') process.exitCode = exitCodes.failed
}

const formatFinding = ({ check, severity, text, fix }: Finding): string =>
  `${t(`severity_${severity}`).padEnd(7)}  ${check}: ${text}.${fix === null ? '' : ` ${fix}`}`

async function collectFindings(): Promise<Finding[]> {
  const config = readValidConfig()
  const versions = await run('checkVersions', checkVersions)
  const variables = checkVariables(getEnvironment(), getVariablesFile())
  if (Array.isArray(config)) {
    return [...versions, ...config, ...variables.filter(({ severity }) => severity !== 'ok')]
  }
  return [...versions, ...variables, ...(await checkAll(config))]
}

/** Returns one finding for each invalid variable instead. The other checks need valid variables. */
function readValidConfig(): Config | Finding[] {
  try {
    return readCommandVariables()
  } catch (cause) {
    if (!(cause instanceof ConfigProblems)) throw cause
    return cause.lines.map((line) => error('checkVariables', line, t('variableInvalidFix')))
  }
}

async function checkAll(config: Config): Promise<Finding[]> {
  const folder = await run('checkFolder', () => checkFolder(config))
  const samples: Array<ClockSample | null> = []
  const measured = async <T extends { finding: Finding; sample: ClockSample | null }>(
    check: Promise<T>,
  ): Promise<T> => {
    const checked = await check
    samples.push(checked.sample)
    return checked
  }
  const database = measured(checkDatabase(config))
  // The findings of the database name its error.
  const entered = database.then((checked) => checked.entered).catch(() => null)
  const nodes = database.then((checked) => checked.nodes).catch(() => null)
  const rest = await Promise.all([
    run('checkDatabase', async () => (await database).finding),
    run('checkStorage', async () => (await measured(checkStore(config))).finding),
    run('checkDisk', () => checkDisk(config)),
    run('checkMail', async () => checkMail(config, await entered)),
    run('checkAddress', async () => checkAddress(config, await nodes)),
    run('checkPublicAddress', async () => checkPublicAddress(config, await entered, await nodes)),
  ])
  return [...folder, ...rest.flat(), checkClock(samples)]
}

/** A check that throws is a finding, too. */
async function run(check: Check, work: () => Promise<Finding | Finding[]>): Promise<Finding[]> {
  try {
    return [await work()].flat()
  } catch (cause) {
    return [error(check, describeError(cause), t('checkFailedFix'))]
  }
}
