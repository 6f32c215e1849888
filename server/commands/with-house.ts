import { pino } from 'pino'
import { createFirstAdmin } from '../access/accounts.ts'
import { openHouse } from '../open-house.ts'
import { readConfig } from '../platform/config.ts'
import type { House } from '../settings/house.ts'

/** Opens the house for one command, beside a running service or alone, and closes it again. */
export async function withHouse(work: (house: House) => Promise<void>): Promise<void> {
  const config = readConfig(process.env)
  const { house, close } = await openHouse(config, pino({ level: 'error' }, pino.destination(2)))
  try {
    const password = await createFirstAdmin(house)
    if (password) console.log(`First sign-in: ${config.adminUsername} / ${password}  (shown only this once)`)
    await work(house)
  } finally {
    await close()
  }
}
