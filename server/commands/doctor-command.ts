import type { Command } from 'commander'
import { t } from '../platform/text/command-messages.ts'
import type { DoctorOptions } from './doctor/run-doctor.ts'
import { printError } from './print.ts'

const run = async (options: DoctorOptions): Promise<void> => {
  const { runDoctor } = await import('./doctor/run-doctor.ts')
  await runDoctor(options)
}

export const addDoctor = (program: Command): Command =>
  program
    .command('doctor')
    .description('help_doctor')
    .option('--json', 'help_doctorJson')
    .addHelpText('after', () => `\n${t('doctorExitCode')}`)
    .action(run)

/** The previous name of `doctor`. */
export const addCheckConfig = (program: Command): Command =>
  program.command('check-config', { hidden: true }).action(async () => {
    printError(t('doctorRenamed'))
    await run({})
  })
