import type { AccessContext } from '../access/access.ts'
import type { Registries } from './belongings.ts'
import type { Settings } from './settings.ts'

/** The context that functions of the server get as their first argument. */
export type AppContext = AccessContext & Registries & { settings: Settings }
