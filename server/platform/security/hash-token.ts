import { createHash } from 'node:crypto'

/** Returns the hash that stands for a token in the database. Random tokens need no slow hash, unlike passwords. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')
