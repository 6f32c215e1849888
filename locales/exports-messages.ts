import type { Messages } from './translate.ts'

/** The messages of exported tables. Each language is one file in `exports/` with the keys of `en.json`. */
export type ExportsMessageKey = keyof typeof import('./exports/en.json')
export type ExportsMessages = Messages<ExportsMessageKey>
