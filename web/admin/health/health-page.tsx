import './health.css'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Button } from '../components/button.tsx'
import { formatRelativeTime, formatTime } from '../components/format-time.ts'
import { Icon } from '../components/icon.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Page } from '../components/page.tsx'
import { HealthFigures } from './health-figures.tsx'
import { HealthItems } from './health-items.tsx'
import { healthQuery } from './health-query.ts'
import { ProxyCheck } from './proxy-check.tsx'

const t = translator('health')

type Health = Schemas['InstanceHealth']

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

function Summary({ health: { status, items, checked_at } }: { health: Health }) {
  const count = items.filter((item) => item.status !== 'ok').length
  return (
    <p className={`health-summary ${status}`} role="status">
      <Icon name={status === 'ok' ? 'check' : status === 'warn' ? 'info' : 'warning'} />
      <strong>{count === 0 ? t('allWell') : t('toLookAt', { count })}</strong>
      <span className="quiet-text">{t('checkedAt', { time: formatTime(checked_at) })}</span>
    </p>
  )
}
