import type { Messages } from './translate.ts'

/** The messages of the health report. Each language is one file in `health/` with the keys of `en.json`. */
export type HealthMessageKey = keyof typeof import('./health/en.json')
export type HealthMessages = Messages<HealthMessageKey>
