import type { Access } from '../access/access.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { Settings } from './settings.ts'

/** The first argument of the functions of the application. */
export type AppContext = PlatformContext & { access: Access; settings: Settings }
