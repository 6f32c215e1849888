import type { Logger } from 'pino'

/** What operations log to. */
export type Log = Logger
