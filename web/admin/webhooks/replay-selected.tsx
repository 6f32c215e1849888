import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { translator } from '../app/language.ts'
import { Button, Buttons } from '../components/button.tsx'
import { errorMessage } from '../components/error-messages.ts'
import { showNotice } from '../components/notices.tsx'
import { Progress } from '../components/progress.tsx'
import { replayMany } from './replay-many.ts'
import { invalidateWebhooks } from './webhooks-query.ts'

const t = translator('webhooks')

type Props = { webhookId: number; selected: ReadonlySet<number>; onDone: () => void }

export function ReplaySelected({ webhookId, selected, onDone }: Props) {
  const [done, setDone] = useState(0)
  const ids = [...selected].toSorted((one, other) => one - other)
  const replay = useMutation({
    mutationFn: () => replayMany(webhookId, ids, { onDone: setDone, signal: new AbortController().signal }),
    onSuccess: (count) => {
      showNotice(t('replayed', { count }))
      onDone()
    },
    onError: (error) => showNotice(errorMessage(error), { isAlarm: true }),
    onSettled: invalidateWebhooks,
  })
  return (
    <Buttons>
      {replay.isPending && <Progress label={t('replaying')} done={done} total={ids.length} />}
      <Button kind="quiet" onClick={onDone}>
        {t('selectNone')}
      </Button>
      <Button icon="refresh" kind="primary" isBusy={replay.isPending} onClick={() => replay.mutate()}>
        {t('replayCount', { count: ids.length })}
      </Button>
    </Buttons>
  )
}
