import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by `vitest.long.config.ts`. */
    isLongRun: true | undefined
  }
}

/** True in `npm run test:long`. Tests then use every case and larger numbers. */
export const isLongRun = inject('isLongRun') === true
