import type { Access } from '../access/access.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import type { Settings } from './settings.ts'

/** The first argument of the operations of the application: the platform, access control and the settings. */
export type AppContext = PlatformContext & { access: Access; settings: Settings }
