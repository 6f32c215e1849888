import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { translator } from '../app/language.ts'
import { Button, Buttons } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { errorMessage } from '../components/error-messages.ts'
import { TextField } from '../components/field.tsx'
import { Loaded } from '../components/loaded.tsx'
import { showNotice } from '../components/notices.tsx'
import { Progress } from '../components/progress.tsx'
import { listFailedToReplay } from './failed-to-replay.ts'
import { loadReplayableDeliveries } from './load-replayable-deliveries.ts'
import { replayMany } from './replay-many.ts'
import { type DeliverySummary, invalidateWebhooks } from './webhooks-query.ts'

const t = translator('webhooks')

type Props = { webhookId: number; onClose: () => void }

export function ReplayDialog({ webhookId, onClose }: Props) {
  const query = useQuery({
    queryKey: ['webhook-failures', webhookId],
    queryFn: ({ signal }) => loadReplayableDeliveries(webhookId, signal),
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <Dialog title={t('replayFailed')} description={t('replayFailedText')} isOpen onClose={onClose}>
      <Loaded query={query}>
        {(deliveries) => <ReplayForm webhookId={webhookId} deliveries={deliveries} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

function ReplayForm({ webhookId, deliveries, onClose }: Props & { deliveries: DeliverySummary[] }) {
  const [since, setSince] = useState('')
  const [done, setDone] = useState(0)
  const abortController = useRef<AbortController>(null)
  useEffect(() => () => abortController.current?.abort(), [])
  const ids = listFailedToReplay(deliveries, since === '' ? undefined : new Date(since).getTime())
  const replay = useMutation({
    mutationFn: () => {
      abortController.current = new AbortController()
      return replayMany(webhookId, ids, { onDone: setDone, signal: abortController.current.signal })
    },
    onSuccess: (count) => {
      showNotice(t('replayed', { count }))
      onClose()
    },
    onError: (error) => showNotice(errorMessage(error), { isAlarm: true }),
    onSettled: invalidateWebhooks,
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (ids.length > 0 && !replay.isPending) replay.mutate()
      }}
    >
      <TextField
        label={t('since')}
        help={t('sinceHelp')}
        type="datetime-local"
        value={since}
        onChange={({ target }) => setSince(target.value)}
      />
      {replay.isPending && <Progress label={t('replaying')} done={done} total={ids.length} />}
      <p role="status" className="quiet-text">
        {ids.length === 0 ? t('nothingFailed') : t('failedCount', { count: ids.length })}
      </p>
      <Buttons isAtEnd>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" kind="primary" icon="refresh" isBusy={replay.isPending} disabled={ids.length === 0}>
          {t('replayCount', { count: ids.length })}
        </Button>
      </Buttons>
    </form>
  )
}
