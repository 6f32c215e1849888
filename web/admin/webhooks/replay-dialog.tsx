import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { translator } from '../app/language.ts'
import { Button, Buttons, SubmitButton } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { TextField } from '../components/field.tsx'
import { Loaded } from '../components/loaded.tsx'
import { Progress } from '../components/progress.tsx'
import { listFailedToReplay } from './delivery-rules.ts'
import { loadReplayableDeliveries, useReplay } from './replay-deliveries.ts'
import type { DeliverySummary } from './webhooks-query.ts'

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
  const abortController = useRef<AbortController>(null)
  useEffect(() => () => abortController.current?.abort(), [])
  const ids = listFailedToReplay(deliveries, since === '' ? undefined : new Date(since).getTime())
  const { replay, done } = useReplay(webhookId, ids, onClose)
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (ids.length === 0 || replay.isPending) return
        abortController.current = new AbortController()
        replay.mutate(abortController.current.signal)
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
        <SubmitButton icon="refresh" isBusy={replay.isPending} disabled={ids.length === 0}>
          {t('replayCount', { count: ids.length })}
        </SubmitButton>
      </Buttons>
    </form>
  )
}
