import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by `vitest.long.config.ts`. */
    isLongRun: true | undefined
  }
}

/** Whether this is `npm run test:long`. Tests then use every case and larger numbers. */
export const isLongRun = inject('isLongRun') === true
