import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { type ContextOverrides, createAppContext } from '../../../server/create-app-context.ts'
import { readConfig } from '../../../server/platform/configuration/config.ts'
import type { AppContext } from '../../../server/settings/app-context.ts'
import { workersForTest } from '../media/image-tasks.ts'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { prepareBackEnds } from './back-ends.ts'
import { copyFirstDatabase } from './first-start-database.ts'
import { sharedEdges } from './shared-edges.ts'

type Options = { environment?: Record<string, string>; edges?: ContextOverrides }

/** Creates an app context on empty data, without the web server. It closes when the test ends. */
export async function contextForTest({ environment = {}, edges = {} }: Options = {}): Promise<AppContext> {
  const dataDir = await temporaryFolder()
  await copyFirstDatabase(dataDir, environment, { password: null })
  const config = readConfig({ DATA_DIR: dataDir, ...(await prepareBackEnds(dataDir)), ...environment })
  const { ctx, close } = await createAppContext(config, pino({ level: 'silent' }), { ...sharedEdges, ...edges })
  onTestFinished(close)
  return ctx
}

/** For tests that block or kill image workers. */
export const contextWithOwnWorkers = (): Promise<AppContext> =>
  contextForTest({ edges: { imageWorkers: workersForTest() } })
