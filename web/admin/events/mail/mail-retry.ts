import type { Schemas } from '../../api/api.ts'

type Mail = Schemas['Mail']

/**
 * The API shows this text instead of a credential. The service stores no credentials of mails with the status `failed`
 * or `kept`, so a mail with this text cannot be sent again.
 */
export const erasedText = '••••••'
const maxAgeMs = 7 * 86_400_000

/** Returns why a mail cannot be sent again; null if a retry is possible. The server has the final decision. */
export function findRetryObstacle(
  { status, text, created_at }: Pick<Mail, 'status' | 'text' | 'created_at'>,
  isConfigured: boolean,
  now = Date.now(),
): 'notStuck' | 'notSetUp' | 'tooOld' | 'erased' | null {
  if (status !== 'failed' && status !== 'kept') return 'notStuck'
  if (!isConfigured) return 'notSetUp'
  if (now - Date.parse(created_at) > maxAgeMs) return 'tooOld'
  return text.includes(erasedText) ? 'erased' : null
}
