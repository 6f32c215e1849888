import { basename, dirname } from 'node:path'

/** Returns a file as the functions of `untrusted-files.ts` get it, in the folder that it is in. */
export const placeOf = (path: string) => ({ root: dirname(path), path: basename(path) })
