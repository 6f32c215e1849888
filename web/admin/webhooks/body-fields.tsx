import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, must } from '../api/api.ts'
import { translator } from '../desk/language.ts'
import { Button } from '../parts/button.tsx'
import { errorMessage } from '../parts/error-messages.ts'
import { SelectField, TextArea } from '../parts/field.tsx'
import { Badge } from '../parts/page.tsx'
import { CodeText } from './code-text.tsx'
import { prettyBody } from './pretty-body.ts'
import { bodyOf, type WebhookDraft } from './webhook-draft.ts'
import { eventTypesQuery, type WebhookEventType } from './webhooks-query.ts'
import { wrongField } from './wrong-words.ts'

const t = translator('webhooks')

/** The format of Slack, Mattermost and similar services. */
const messageTemplate = '{"text": "${data.event.event_name}: ${data.event.share_url}"}'

/** The time after the last input until the preview is refreshed. */
const pauseMs = 400

type Props = { draft: WebhookDraft; wrong: string | null; onChange: (template: string) => void }

export function BodyFields({ draft, wrong, onChange }: Props) {
  const { template, events } = draft
  const { data: types = [] } = useQuery(eventTypesQuery)
  const [wanted, setWanted] = useState<WebhookEventType | null>(null)
  const eventType = wanted ?? events[0] ?? 'event.published'
  const preview = usePreview(draft, eventType)
  const isFiltered = Object.keys(bodyOf(draft).filter).length > 0
  return (
    <details className="card webhooks-fold" {...(template !== '' && { open: true })}>
      <summary>
        <h2>{t('body')}</h2>
        <span className="quiet-text">{t(template.trim() === '' ? 'bodyOurs' : 'bodyTheirs')}</span>
      </summary>
      <TextArea
        label={t('template')}
        help={t('templateHelp')}
        wrong={wrong ?? wrongField(preview.error, 'template')}
        className="mono"
        dir="ltr"
        rows={5}
        value={template}
        spellCheck={false}
        autoCapitalize="off"
        onChange={({ target }) => onChange(target.value)}
      />
      {template.trim() === '' && (
        <div>
          <Button onClick={() => onChange(messageTemplate)}>{t('asMessage')}</Button>
        </div>
      )}
      <SelectField
        label={t('sample')}
        value={eventType}
        onChange={({ target }) => setWanted(target.value as WebhookEventType)}
      >
        {types.map(({ type }) => (
          <option key={type}>{type}</option>
        ))}
      </SelectField>
      {preview.error && <p className="wrong">{wrongField(preview.error, 'filter') ?? errorMessage(preview.error)}</p>}
      {preview.data && !preview.error && (
        <>
          <p className="webhooks-passes">
            {isFiltered && <FilterSays passes={preview.data.passes} />}
            <code className="quiet-text">{preview.data.content_type}</code>
          </p>
          <CodeText label={t('sample')} text={prettyBody(preview.data.body)} />
        </>
      )}
    </details>
  )
}

const FilterSays = ({ passes }: { passes: boolean }) => (
  <Badge tone={passes ? 'good' : 'warn'}>{t(passes ? 'passes' : 'heldBack')}</Badge>
)

function usePreview(draft: WebhookDraft, event_type: WebhookEventType) {
  const { filter, template } = bodyOf(draft)
  const asked = useSettled(JSON.stringify({ event_type, filter, template }))
  return useQuery({
    queryKey: ['webhook-preview', asked],
    queryFn: ({ signal }) => must(api.POST('/api/admin/webhooks/preview', { body: JSON.parse(asked), signal })),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
