import type { Edges } from '../../server/create-app-context.ts'
import { keepIdleThreads } from '../../server/platform/database/sqlite-threads.ts'
import { createImageWorkers, defaultLimits, type ImageWorkers } from '../../server/platform/media/image-workers.ts'
import { createPasswords, type Passwords } from '../../server/platform/passwords.ts'
import { timed } from './times/counters.ts'

/** The least that Argon2 does. Every hash states its cost, so services of either cost can read it. */
const minCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

const passwords = createPasswords(minCost)
export const cheapPasswords: Passwords = {
  hash: (password) => timed('password hash', () => passwords.hash(password)),
  isRight: (storedHash, password) => timed('password hash', () => passwords.isRight(storedHash, password)),
}

/** Each of their processes costs a quarter of a second to start. They end with the process of the tests. */
export const imageWorkers: ImageWorkers = createImageWorkers({ ...defaultLimits, idleSeconds: 600 })

/** What all services of one test process share, as it takes long to make and has nothing to do with one of them. */
export const sharedEdges: Edges = { passwords: cheapPasswords, imageWorkers }

// Of the test's process too: a thread takes longer to start than a database to open.
keepIdleThreads(8)
