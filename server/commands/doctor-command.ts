import type { Command } from 'commander'
import type { DoctorOptions } from './doctor/run-doctor.ts'
import { printError } from './print.ts'

const run = async (options: DoctorOptions): Promise<void> => {
  const { runDoctor } = await import('./doctor/run-doctor.ts')
  await runDoctor(options)
}

export const addDoctor = (program: Command): Command =>
  program
    .command('doctor')
    .description('check variables, folder, database, storage, mail server and address; creates and sends nothing')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', '\nThe exit code is 1 if a finding is an Error. A Warning does not change the exit code.')
    .action(run)

/** The previous name of `doctor`. */
export const addCheckConfig = (program: Command): Command =>
  program.command('check-config', { hidden: true }).action(async () => {
    printError('check-config is now called doctor.')
    await run({})
  })
