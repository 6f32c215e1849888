import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { Button, Buttons } from '../components/button.tsx'
import { formatNumber, formatTime } from '../components/format-time.ts'
import { Loaded } from '../components/loaded.tsx'
import { Empty } from '../components/page.tsx'
import { Pagination } from '../components/pagination.tsx'
import { Progress } from '../components/progress.tsx'
import { Outcome } from './outcome.tsx'
import { useReplay } from './replay-deliveries.ts'
import { ReplayDialog } from './replay-dialog.tsx'
import {
  type DeliverySummary,
  deliveriesQuery,
  deliveryCountQuery,
  useRefreshWebhook,
  type Webhook,
} from './webhooks-query.ts'

const t = translator('webhooks')
const route = getRouteApi('/inside/webhooks/$webhookId')
const statuses = ['pending', 'success', 'failed'] as const

/** The list refreshes itself while a delivery is pending. */
export function Deliveries({ webhook: { id } }: { webhook: Webhook }) {
  const { status: statusParam, page } = route.useSearch()
  const status = statuses.find((one) => one === statusParam)
  const navigate = route.useNavigate()
  const query = useQuery(deliveriesQuery(id, { ...(status && { status }), page: page ?? 1 }))
  const canEdit = useHasPermission()('settings.edit')
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [isReplaying, setReplaying] = useState(false)
  const { data: failedCount = 0 } = useQuery(deliveryCountQuery(id, 'failed'))
  useRefreshWebhook(id, query.data?.deliveries)
  const select = (deliveryId: number, isSelected: boolean) =>
    setSelected((before) => {
      const after = new Set(before)
      if (isSelected) after.add(deliveryId)
      else after.delete(deliveryId)
      return after
    })
  return (
    <>
      <div className="webhooks-toolbar">
        <StatusFilter webhookId={id} />
        {canEdit && selected.size === 0 && failedCount > 0 && (
          <Button icon="refresh" onClick={() => setReplaying(true)}>
            {t('replayFailed')}
          </Button>
        )}
        {canEdit && selected.size > 0 && (
          <ReplaySelected webhookId={id} selected={selected} onDone={() => setSelected(new Set())} />
        )}
      </div>
      <Loaded query={query}>
        {({ deliveries, pagination }) =>
          deliveries.length === 0 ? (
            <Empty
              title={t(status ? 'noneInState' : 'noDeliveries')}
              {...(!status && { text: t('noDeliveriesText') })}
            />
          ) : (
            <>
              <ul className="webhooks-deliveries">
                {deliveries.map((delivery) => (
                  <DeliveryRow
                    key={delivery.id}
                    webhookId={id}
                    delivery={delivery}
                    {...(canEdit && { isSelected: selected.has(delivery.id), onSelect: select })}
                  />
                ))}
              </ul>
              <Pagination
                page={pagination.page}
                pages={pagination.pages}
                onPage={(to) => void navigate({ search: (before) => ({ ...before, page: to }) })}
              />
            </>
          )
        }
      </Loaded>
      {isReplaying && <ReplayDialog webhookId={id} onClose={() => setReplaying(false)} />}
    </>
  )
}

function StatusFilter({ webhookId }: { webhookId: number }) {
  const { data: pending = 0 } = useQuery(deliveryCountQuery(webhookId, 'pending'))
  const { data: failed = 0 } = useQuery(deliveryCountQuery(webhookId, 'failed'))
  const counts = { pending, failed, success: 0 }
  return (
    <nav className="webhooks-filter" aria-label={t('filterStatus')}>
      {([undefined, ...statuses] as const).map((one) => (
        <Link
          key={one ?? 'all'}
          to="/webhooks/$webhookId"
          params={{ webhookId: String(webhookId) }}
          search={{ status: one } as { status?: string }}
          activeOptions={{ explicitUndefined: true }}
          resetScroll={false}
        >
          {t(`filter_${one ?? 'all'}`)}
          {one && counts[one] > 0 && <span className="webhooks-count">{formatNumber(counts[one])}</span>}
        </Link>
      ))}
    </nav>
  )
}

type ReplayProps = { webhookId: number; selected: ReadonlySet<number>; onDone: () => void }

function ReplaySelected({ webhookId, selected, onDone }: ReplayProps) {
  const ids = [...selected].toSorted((one, other) => one - other)
  const { replay, done } = useReplay(webhookId, ids, onDone)
  return (
    <Buttons>
      {replay.isPending && <Progress label={t('replaying')} done={done} total={ids.length} />}
      <Button kind="quiet" onClick={onDone}>
        {t('selectNone')}
      </Button>
      <Button icon="refresh" kind="primary" isBusy={replay.isPending} onClick={() => replay.mutate(null)}>
        {t('replayCount', { count: ids.length })}
      </Button>
    </Buttons>
  )
}

type RowProps = {
  webhookId: number
  delivery: DeliverySummary
  isSelected?: boolean
  onSelect?: (id: number, isSelected: boolean) => void
}

function DeliveryRow({ webhookId, delivery, isSelected = false, onSelect }: RowProps) {
  const { id, event_type, created_at, attempt_count, replayed_from } = delivery
  return (
    <li className="webhooks-delivery">
      {onSelect && (
        <input
          type="checkbox"
          aria-label={t('selectDelivery', { id: String(id), type: event_type })}
          checked={isSelected}
          onChange={({ target }) => onSelect(id, target.checked)}
        />
      )}
      <span className="webhooks-what">
        <Link
          to="/webhooks/$webhookId"
          params={{ webhookId: String(webhookId) }}
          search={(before) => ({ ...before, delivery: id })}
          resetScroll={false}
        >
          <code>{event_type}</code> <span className="quiet-text">{t('numbered', { id: String(id) })}</span>
        </Link>
        {replayed_from !== null && <span className="quiet-text">{t('replayOf', { id: String(replayed_from) })}</span>}
      </span>
      <Outcome delivery={delivery} />
      <span className="webhooks-when quiet-text">
        <time dateTime={created_at}>{formatTime(created_at)}</time>
        {attempt_count > 1 && <span>{t('attempts', { count: attempt_count })}</span>}
      </span>
    </li>
  )
}
