import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { Button, Buttons } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { formatNumber, formatTime } from '../components/format-time.ts'
import { Loaded } from '../components/loaded.tsx'
import { showError, showNotice } from '../components/notices.tsx'
import { CodeText, formatBody } from './code-text.tsx'
import { Outcome } from './outcome.tsx'
import {
  type Delivery,
  deliveryQuery,
  invalidateWebhooks,
  replayDelivery,
  useRefreshWebhook,
  type Webhook,
} from './webhooks-query.ts'

const t = translator('webhooks')

type Props = { webhook: Webhook; deliveryId: number; onShow: (deliveryId: number) => void; onClose: () => void }

/** Bodies may contain text of other systems, so they are shown only as plain text. */
export function DeliveryDialog({ webhook, deliveryId, onShow, onClose }: Props) {
  const query = useQuery(deliveryQuery(webhook.id, deliveryId))
  useRefreshWebhook(webhook.id, query.data ? [query.data] : [])
  const canEdit = useHasPermission()('settings.edit')
  const replay = useMutation({
    mutationFn: () => replayDelivery(webhook.id, deliveryId),
    onSuccess: ({ replay_id }) => {
      showNotice(t('replayed', { count: 1 }))
      onShow(replay_id)
    },
    onError: showError,
    onSettled: invalidateWebhooks,
  })
  return (
    <Dialog title={t('delivery', { id: String(deliveryId) })} isOpen onClose={onClose} isWide>
      <Loaded query={query}>
        {(delivery) => (
          <div className="stack">
            <div role="status">
              <Outcome delivery={delivery} />
            </div>
            <Facts delivery={delivery} onShow={onShow} />
            <RequestSection delivery={delivery} />
            <ResponseSection delivery={delivery} />
            {canEdit && (
              <Buttons isAtEnd>
                <Button icon="refresh" kind="primary" isBusy={replay.isPending} onClick={() => replay.mutate()}>
                  {t('replay')}
                </Button>
              </Buttons>
            )}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function Facts({ delivery, onShow }: { delivery: Delivery; onShow: (id: number) => void }) {
  const { event_type, created_at, completed_at, attempt_count, next_retry_at, replayed_from, envelope_id } = delivery
  return (
    <dl className="webhooks-about">
      <Fact term={t('type')}>
        <code>{event_type}</code>
      </Fact>
      <Fact term={t('happened')}>{formatTime(created_at)}</Fact>
      <Fact term={t('attemptsMade')}>{formatNumber(attempt_count)}</Fact>
      {completed_at && <Fact term={t('completed')}>{formatTime(completed_at)}</Fact>}
      {next_retry_at && <Fact term={t('nextTryAt')}>{formatTime(next_retry_at)}</Fact>}
      {replayed_from !== null && (
        <Fact term={t('tellsAgain')}>
          <button type="button" className="link webhooks-link" onClick={() => onShow(replayed_from)}>
            {t('delivery', { id: String(replayed_from) })}
          </button>
        </Fact>
      )}
      <Fact term="webhook-id" isWide>
        <code>{envelope_id}</code>
      </Fact>
    </dl>
  )
}

const Fact = ({ term, isWide = false, children }: { term: string; isWide?: boolean; children: ReactNode }) => (
  <div {...(isWide && { className: 'webhooks-wide' })}>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </div>
)

const RequestSection = ({ delivery: { request_body, request_headers } }: { delivery: Delivery }) => (
  <section className="webhooks-part">
    <div className="webhooks-part-head">
      <h3>{t('sent')}</h3>
      {request_body !== '' && <CopyButton text={request_body} kind="quiet" label={t('copyBody')} />}
    </div>
    {request_body === '' ? (
      <p className="quiet-text">{t('nothingSent')}</p>
    ) : (
      <CodeText label={t('sent')} text={formatBody(request_body)} />
    )}
    {request_headers && (
      <details>
        <summary>{t('headers')}</summary>
        <CodeText
          label={t('headers')}
          text={Object.entries(request_headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        />
      </details>
    )}
  </section>
)

const ResponseSection = ({ delivery: { response_status, response_body, latency_ms } }: { delivery: Delivery }) => (
  <section className="webhooks-part">
    <div className="webhooks-part-head">
      <h3>{t('answer')}</h3>
      {response_body && <CopyButton text={response_body} kind="quiet" label={t('copyAnswer')} />}
    </div>
    <p className="quiet-text">
      {response_status === null
        ? t('noAnswer')
        : t('answeredIn', { status: String(response_status), ms: latency_ms ?? 0 })}
      {response_status !== null && !response_body && ` ${t('emptyAnswer')}`}
    </p>
    {response_body && <CodeText label={t('answer')} text={response_body} />}
  </section>
)
