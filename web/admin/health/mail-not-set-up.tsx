import { translator } from '../desk/language.ts'
import { Card } from '../parts/page.tsx'
import { FixLines } from './fix-line.tsx'
import { getFixLines } from './fix-lines.ts'

const t = translator('health')

export const MailNotConfigured = () => (
  <Card title={t('mailOffTitle')}>
    <p>{t('mailOffText')}</p>
    <FixLines lines={getFixLines({ key: 'mail', facts: { is_configured: false } }, location.origin)} />
  </Card>
)
