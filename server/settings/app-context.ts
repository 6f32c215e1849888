import type { AccessContext } from '../access/access.ts'
import type { Settings } from './settings.ts'

/** The first argument of the functions of the application. */
export type AppContext = AccessContext & { settings: Settings }
