import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by `vitest.long.config.ts`. */
    isLongRun: true | undefined
  }
}

/** Whether this is `npm run test:long`: tests then take every case and the large numbers. */
export const isLongRun = inject('isLongRun') === true
