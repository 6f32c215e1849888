import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type Edges, openHouse } from '../../server/open-house.ts'
import { readConfig } from '../../server/platform/config.ts'
import type { House } from '../../server/settings/house.ts'
import { temporaryFolder } from './temporary-folder.ts'

type Options = { environment?: Record<string, string>; edges?: Edges }

/** The back ends alone, without the web server, on a fresh SQLite file and a fresh folder; closed with the test. */
export async function houseForTest({ environment = {}, edges = {} }: Options = {}): Promise<House> {
  const config = readConfig({ DATA_DIR: await temporaryFolder(), ...environment })
  const { house, close } = await openHouse(config, pino({ level: 'silent' }), edges)
  onTestFinished(close)
  return house
}
