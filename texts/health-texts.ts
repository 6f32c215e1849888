import type { Texts } from './say.ts'

/** How the service is doing, in words: each language is one file of `health/`, with the keys of the English one. */
export type HealthTextKey = keyof typeof import('./health/en.json')
export type HealthTexts = Texts<HealthTextKey>
