import { translator } from '../app/language.ts'
import { Badge } from '../components/page.tsx'
import type { Mail } from './mail-query.ts'

const t = translator('health')

const tones = { queued: 'warn', sent: 'good', failed: 'bad', kept: 'plain' } as const

export const MailState = ({ mail: { status } }: { mail: Mail }) => (
  <Badge tone={tones[status]}>{t(`mail_${status}`)}</Badge>
)
