import { sayIn } from '../desk/language.ts'
import { Card } from '../parts/page.tsx'
import { FixLines } from './fix-line.tsx'
import { fixLinesOf } from './fix-lines.ts'

const say = sayIn('health')

export const MailNotSetUp = () => (
  <Card title={say('mailOffTitle')}>
    <p>{say('mailOffText')}</p>
    <FixLines lines={fixLinesOf({ key: 'mail', facts: { is_configured: false } }, location.origin)} />
  </Card>
)
