import { pino } from 'pino'
import { createFirstAdmin } from '../access/accounts.ts'
import { createAppContext } from '../create-app-context.ts'
import { readConfig } from '../platform/config.ts'
import type { AppContext } from '../settings/app-context.ts'

export async function withAppContext(work: (ctx: AppContext) => Promise<void>): Promise<void> {
  const config = readConfig(process.env)
  const { ctx, close } = await createAppContext(config, pino({ level: 'error' }, pino.destination(2)))
  try {
    const password = await createFirstAdmin(ctx)
    if (password) console.log(`First sign-in: ${config.adminUsername} / ${password}  (shown only this once)`)
    await work(ctx)
  } finally {
    await close()
  }
}
