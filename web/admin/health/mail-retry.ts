import type { Mail } from './mail-query.ts'

/** As the outbox shows what was secret in a mail and is erased. */
const erased = '••••••'
const tooOldMs = 7 * 86_400_000

/** Why a mail cannot be sent once more, as far as it can be told from here; null where it can be tried. */
export function retryHindrance(
  { status, text, created_at }: Pick<Mail, 'status' | 'text' | 'created_at'>,
  isSetUp: boolean,
  now = Date.now(),
): 'notStuck' | 'notSetUp' | 'tooOld' | 'erased' | null {
  if (status !== 'failed' && status !== 'kept') return 'notStuck'
  if (!isSetUp) return 'notSetUp'
  if (now - Date.parse(created_at) > tooOldMs) return 'tooOld'
  return text.includes(erased) ? 'erased' : null
}
