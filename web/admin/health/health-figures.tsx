import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatSize } from '../../shared/format-units.ts'
import type { Schemas } from '../api/api.ts'
import { language, translator } from '../app/language.ts'
import { Progress } from '../components/progress.tsx'

const t = translator('health')

type Item = Schemas['HealthItem']

export function HealthFigures({ items }: { items: Item[] }) {
  const getFacts = (key: string): Item['facts'] => items.find((item) => item.key === key)?.facts ?? {}
  const [disk, mail, webhooks] = [getFacts('disk'), getFacts('mail'), getFacts('webhooks')]
  const [free, total] = [disk.free_bytes, disk.total_bytes]
  return (
    <dl className="health-figures">
      {typeof free === 'number' && typeof total === 'number' && (
        <Figure name={t('disk')} value={t('free', { size: formatSize(free, language) })}>
          <Progress label={t('diskUsed')} done={total - free} total={total} />
          {t('ofDisk', { size: formatSize(total, language) })}
        </Figure>
      )}
      <Figure
        name={t('mail')}
        value={mail.is_configured === false ? t('mailOff') : t('waiting', { count: Number(mail.queued ?? 0) })}
      >
        {Number(mail.failed ?? 0) > 0 && `${t('failedLately', { count: Number(mail.failed) })} · `}
        <Link to="/mail">{t('toOutbox')}</Link>
      </Figure>
      <Figure name={t('queue')} value={t('overdue', { count: Number(webhooks.overdue ?? 0) })}>
        {t('webhooksActive', { count: Number(webhooks.active ?? 0) })}
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
