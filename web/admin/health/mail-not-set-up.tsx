import { translator } from '../desk/language.ts'
import { Card } from '../parts/page.tsx'
import { FixLines } from './fix-line.tsx'
import { fixLinesOf } from './fix-lines.ts'

const t = translator('health')

export const MailNotSetUp = () => (
  <Card title={t('mailOffTitle')}>
    <p>{t('mailOffText')}</p>
    <FixLines lines={fixLinesOf({ key: 'mail', facts: { is_configured: false } }, location.origin)} />
  </Card>
)
