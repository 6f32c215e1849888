import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type Edges, openHouse } from '../../server/open-house.ts'
import { readConfig } from '../../server/platform/config.ts'
import type { House } from '../../server/settings/house.ts'
import { backEndsOf } from './back-ends.ts'
import { beginWithTables } from './first-database.ts'
import { workersForTest } from './image-jobs.ts'
import { sharedEdges } from './shared-edges.ts'
import { temporaryFolder } from './temporary-folder.ts'

type Options = { environment?: Record<string, string>; edges?: Edges }

/** The back ends alone, without the web server, on fresh data; closed with the test. */
export async function houseForTest({ environment = {}, edges = {} }: Options = {}): Promise<House> {
  const dataDir = await temporaryFolder()
  await beginWithTables(dataDir, environment, { password: null })
  const config = readConfig({ DATA_DIR: dataDir, ...(await backEndsOf(dataDir)), ...environment })
  const { house, close } = await openHouse(config, pino({ level: 'silent' }), { ...sharedEdges, ...edges })
  onTestFinished(close)
  return house
}

/** The same with image workers of its own, for tests that hold them up or kill them. */
export const houseWithOwnWorkers = (): Promise<House> => houseForTest({ edges: { imageWorkers: workersForTest() } })
