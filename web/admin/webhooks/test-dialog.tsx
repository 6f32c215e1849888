import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Button, Buttons, SubmitButton } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { errorMessage } from '../components/error-messages.ts'
import { SelectField } from '../components/field.tsx'
import { Outcome } from './outcome.tsx'
import {
  deliveryQuery,
  eventTypesQuery,
  invalidateWebhooks,
  useRefreshWebhook,
  type Webhook,
  type WebhookEventType,
} from './webhooks-query.ts'

const t = translator('webhooks')

type Props = { webhook: Webhook; isOpen: boolean; onClose: () => void; onShow: (deliveryId: number) => void }

export function TestDialog({ webhook, isOpen, onClose, onShow }: Props) {
  const { data: types = [] } = useQuery(eventTypesQuery)
  const [selectedType, setSelectedType] = useState<WebhookEventType | null>(null)
  const eventType = selectedType ?? webhook.events[0]
  const send = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/api/admin/webhooks/{webhook_id}/test', {
          params: { path: { webhook_id: webhook.id } },
          body: { ...(eventType && { event_type: eventType }) },
        }),
      ),
    onSettled: invalidateWebhooks,
  })
  const close = () => {
    send.reset()
    onClose()
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!send.isPending) send.mutate()
  }
  return (
    <Dialog title={t('test')} description={t('testText')} isOpen={isOpen} onClose={close}>
      <form className="stack" onSubmit={onSubmit}>
        <SelectField
          label={t('testType')}
          value={eventType}
          onChange={({ target }) => setSelectedType(target.value as WebhookEventType)}
        >
          {types.map(({ type }) => (
            <option key={type}>{type}</option>
          ))}
        </SelectField>
        <div role="status" className="webhooks-test">
          {send.isError && <p className="wrong">{errorMessage(send.error)}</p>}
          {send.data && (
            <TestOutcome
              webhookId={webhook.id}
              deliveryId={send.data.delivery_id}
              onShow={() => {
                send.reset()
                onShow(send.data.delivery_id)
              }}
            />
          )}
        </div>
        <Buttons isAtEnd>
          <SubmitButton icon="send" isBusy={send.isPending}>
            {t(send.data ? 'testAgain' : 'testSend')}
          </SubmitButton>
        </Buttons>
      </form>
    </Dialog>
  )
}

type OutcomeProps = { webhookId: number; deliveryId: number; onShow: () => void }

function TestOutcome({ webhookId, deliveryId, onShow }: OutcomeProps) {
  const { data } = useQuery(deliveryQuery(webhookId, deliveryId))
  useRefreshWebhook(webhookId, data ? [data] : [])
  return (
    data && (
      <>
        <Outcome delivery={data} />
        <Button kind="quiet" onClick={onShow}>
          {t('lookAtIt')}
        </Button>
      </>
    )
  )
}
