import { pino } from 'pino'
import { createFirstAdmin } from '../access/accounts.ts'
import { createAppContext } from '../create-app-context.ts'
import type { AppContext } from '../settings/app-context.ts'
import { chooseData, type DataChoice } from './choose-data.ts'

/** Opens the data for a command. Throws the errors of `chooseData` and `createAppContext`. */
export async function withAppContext(
  choice: DataChoice & { createsFirstAdmin?: boolean },
  work: (ctx: AppContext) => Promise<void>,
): Promise<void> {
  const config = await chooseData(choice)
  const { ctx, close } = await createAppContext(config, pino({ level: 'error' }, pino.destination(2)))
  try {
    const password = choice.createsFirstAdmin === false ? null : await createFirstAdmin(ctx)
    if (password) console.log(`First sign-in: ${config.adminUsername} / ${password}  (shown only this once)`)
    await work(ctx)
  } finally {
    await close()
  }
}
