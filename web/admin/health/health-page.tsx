import './health.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatSize } from '../../shared/format-units.ts'
import type { Schemas } from '../api/api.ts'
import { findMessage, language, translator } from '../app/language.ts'
import { Button, buttonClass } from '../components/button.tsx'
import { formatRelativeTime, formatTime } from '../components/format-time.ts'
import { Icon } from '../components/icon.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Page } from '../components/page.tsx'
import { Progress } from '../components/progress.tsx'
import { getFixLines } from './fix-lines.ts'
import { FixLines, MailSettingsLink, StatusBadge, TextWithCode } from './health-parts.tsx'
import { healthQuery } from './health-query.ts'
import { ProxyCheck } from './proxy-check.tsx'

const t = translator('health')

export function HealthPage() {
  const query = useQuery(healthQuery)
  return (
    <Page
      title={t('title')}
      actions={
        <Button icon="refresh" isBusy={query.isFetching} onClick={() => void query.refetch()}>
          {t('lookAgain')}
        </Button>
      }
    >
      <Loaded query={query}>
        {(health) => (
          <>
            <Summary health={health} />
            <HealthFigures items={health.items} />
            <HealthItems items={health.items} />
            <ProxyCheck />
            <p className="health-about">
              {t('about', { version: health.version, node: health.node, since: formatRelativeTime(health.started_at) })}
            </p>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Summary({ health: { status, items, checked_at } }: { health: Schemas['InstanceHealth'] }) {
  const count = items.filter((item) => item.status !== 'ok').length
  return (
    <p className={`health-summary ${status}`} role="status">
      <Icon name={status === 'ok' ? 'check' : status === 'warn' ? 'info' : 'warning'} />
      <strong>{count === 0 ? t('allWell') : t('toLookAt', { count })}</strong>
      <span className="quiet-text">{t('checkedAt', { time: formatTime(checked_at) })}</span>
    </p>
  )
}

type Item = Schemas['HealthItem']

function HealthFigures({ items }: { items: Item[] }) {
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

const urgency = { fail: 0, warn: 1, ok: 2 }

function HealthItems({ items }: { items: Item[] }) {
  const sorted = items.toSorted((a, b) => urgency[a.status] - urgency[b.status])
  return (
    <ul className="health-items">
      {sorted.map((item) => (
        <li key={item.key} className={item.status}>
          <div className="health-item-head">
            <h2>{findMessage('health', `item_${item.key}`) ?? item.key}</h2>
            <StatusBadge status={item.status} />
          </div>
          <p>
            <TextWithCode text={item.text} />
          </p>
          {item.fix !== null && <Fix item={item} fix={item.fix} />}
        </li>
      ))}
    </ul>
  )
}

function Fix({ item, fix }: { item: Item; fix: string }) {
  const lines = getFixLines(item, location.origin)
  return (
    <div className="health-fix">
      <p>
        <TextWithCode text={fix} />
      </p>
      {lines.length > 0 && <FixLines lines={lines} />}
      {(item.key === 'address' || item.facts.is_configured === false) && <MailSettingsLink />}
      {item.key === 'mail' && (
        <Link to="/mail" className={buttonClass()}>
          {t('toOutbox')}
        </Link>
      )}
      {item.key === 'webhooks' && (
        <Link to="/webhooks" className={buttonClass()}>
          {t('toWebhooks')}
        </Link>
      )}
    </div>
  )
}
