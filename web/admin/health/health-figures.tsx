import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { sizeWords } from '../../shared/size-words.ts'
import type { Wire } from '../api/api.ts'
import { language, sayIn } from '../desk/language.ts'
import { Progress } from '../parts/progress.tsx'

const say = sayIn('health')

type Item = Wire['HealthItem']

export function HealthFigures({ items }: { items: Item[] }) {
  const factsOf = (key: string): Item['facts'] => items.find((item) => item.key === key)?.facts ?? {}
  const [disk, mail, webhooks] = [factsOf('disk'), factsOf('mail'), factsOf('webhooks')]
  const [free, total] = [disk.free_bytes, disk.total_bytes]
  return (
    <dl className="health-figures">
      {typeof free === 'number' && typeof total === 'number' && (
        <Figure name={say('disk')} value={say('free', { size: sizeWords(free, language) })}>
          <Progress label={say('diskUsed')} done={total - free} total={total} />
          {say('ofDisk', { size: sizeWords(total, language) })}
        </Figure>
      )}
      <Figure
        name={say('mail')}
        value={mail.is_configured === false ? say('mailOff') : say('waiting', { count: Number(mail.queued ?? 0) })}
      >
        {Number(mail.failed ?? 0) > 0 && `${say('failedLately', { count: Number(mail.failed) })} · `}
        <Link to="/mail">{say('toOutbox')}</Link>
      </Figure>
      <Figure name={say('queue')} value={say('overdue', { count: Number(webhooks.overdue ?? 0) })}>
        {say('webhooksActive', { count: Number(webhooks.active ?? 0) })}
      </Figure>
    </dl>
  )
}

const Figure = ({ name, value, children }: { name: string; value: string; children: ReactNode }) => (
  <div className="health-figure">
    <dt>{name}</dt>
    <dd className="health-value">{value}</dd>
    <dd className="health-more">{children}</dd>
  </div>
)
