import { pino } from 'pino'
import { createFirstAdmin } from '../access/accounts.ts'
import { createAppContext } from '../create-app-context.ts'
import { SchemaBehind } from '../platform/database/opened-database.ts'
import { t } from '../platform/text/command-messages.ts'
import type { AppContext } from '../settings/app-context.ts'
import { chooseData, type DataChoice } from './choose-data.ts'
import { CommandRejected } from './command-errors.ts'
import { print } from './print.ts'

/**
 * Opens the data for a command. Throws the errors of `chooseData` and `createAppContext`, and CommandRejected for a
 * database of an older version: if a command migrated it, the older version could no longer open it.
 */
export async function withAppContext(
  choice: DataChoice & { createsFirstAdmin?: boolean },
  work: (ctx: AppContext) => Promise<void>,
): Promise<void> {
  const config = await chooseData(choice)
  const log = pino({ level: 'error' }, pino.destination(2))
  const { ctx, close } = await createAppContext(config, log, { migrates: false }).catch((error) => {
    throw error instanceof SchemaBehind ? new CommandRejected(error.message) : error
  })
  try {
    const password = choice.createsFirstAdmin === false ? null : await createFirstAdmin(ctx)
    if (password) print(t('firstSignIn', { user: config.adminUsername, password }))
    await work(ctx)
  } finally {
    await close()
  }
}
