import type { ContextOverrides } from '../../../server/create-app-context.ts'
import { setMaxIdleThreads } from '../../../server/platform/database/sqlite-thread-client.ts'
import { defaultLimits, ImageWorkers } from '../../../server/platform/media/image-workers.ts'
import { createPasswords, type Passwords } from '../../../server/platform/security/passwords.ts'
import { measureCost } from '../run/times/counters.ts'

/** The minimum cost of Argon2. A hash contains its cost, so any service can verify it. */
const minCost = { memoryCost: 8, timeCost: 1, parallelism: 1 }

const passwords = createPasswords(minCost)
const cheapPasswords: Passwords = {
  hash: (password) => measureCost('password hash', () => passwords.hash(password)),
  isCorrect: (storedHash, password) => measureCost('password hash', () => passwords.isCorrect(storedHash, password)),
  isForeign: passwords.isForeign,
}

/** Shared, because each worker process takes a quarter of a second to start. The workers end with the test process. */
export const imageWorkers = new ImageWorkers({ ...defaultLimits, idleSeconds: 600 })

/** Shared by all services of a test process, because they do not depend on a service. */
export const sharedEdges: ContextOverrides = { passwords: cheapPasswords, imageWorkers }

// A database thread takes longer to start than a database takes to open, so the test process shares idle threads too.
setMaxIdleThreads(8)
