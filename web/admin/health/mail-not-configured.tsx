import { translator } from '../app/language.ts'
import { Card } from '../components/page.tsx'
import { FixLines } from './fix-line-list.tsx'
import { getFixLines } from './fix-lines.ts'

const t = translator('health')

export const MailNotConfigured = () => (
  <Card title={t('mailOffTitle')}>
    <p>{t('mailOffText')}</p>
    <FixLines lines={getFixLines({ key: 'mail', facts: { is_configured: false } }, location.origin)} />
  </Card>
)
