import type { Access } from '../access/access.ts'
import type { Backends } from '../platform/backends.ts'
import type { Settings } from './settings.ts'

/** What the product's rooms are given as their first argument: the back ends, who is asking, and the settings. */
export type House = Backends & { access: Access; settings: Settings }
