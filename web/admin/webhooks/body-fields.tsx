import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { Button } from '../components/button.tsx'
import { errorMessage } from '../components/error-messages.ts'
import { SelectField, TextArea } from '../components/field.tsx'
import { Badge } from '../components/page.tsx'
import { CodeText, codeInputProps, formatBody } from './code-text.tsx'
import { findWebhookFieldError } from './field-errors.ts'
import { toWebhookBody, type WebhookDraft } from './webhook-draft.ts'
import { eventTypesQuery, type WebhookEventType } from './webhooks-query.ts'

const t = translator('webhooks')

/** The body that Slack, Mattermost and similar services expect. */
const messageTemplate = '{"text": "${data.event.event_name}: ${data.event.share_url}"}'

const previewDelayMs = 400

type Props = { draft: WebhookDraft; errorText: string | null; onChange: (template: string) => void }

export function BodyFields({ draft, errorText, onChange }: Props) {
  const { template, events } = draft
  const { data: types = [] } = useQuery(eventTypesQuery)
  const [selectedType, setSelectedType] = useState<WebhookEventType | null>(null)
  const eventType = selectedType ?? events[0] ?? 'event.published'
  const preview = usePreview(draft, eventType)
  const isFiltered = Object.keys(toWebhookBody(draft).filter).length > 0
  return (
    <details className="card fold-card" {...(template !== '' && { open: true })}>
      <summary>
        <h2>{t('body')}</h2>
        <span className="quiet-text">{t(template.trim() === '' ? 'bodyOurs' : 'bodyTheirs')}</span>
      </summary>
      <TextArea
        label={t('template')}
        help={t('templateHelp')}
        errorText={errorText ?? findWebhookFieldError(preview.error, 'template')}
        {...codeInputProps}
        rows={5}
        value={template}
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
        onChange={({ target }) => setSelectedType(target.value as WebhookEventType)}
      >
        {types.map(({ type }) => (
          <option key={type}>{type}</option>
        ))}
      </SelectField>
      {preview.error && (
        <p className="wrong">{findWebhookFieldError(preview.error, 'filter') ?? errorMessage(preview.error)}</p>
      )}
      {preview.data && !preview.error && (
        <>
          <p className="webhooks-passes">
            {isFiltered && <FilterResult passes={preview.data.passes} />}
            <code className="quiet-text">{preview.data.content_type}</code>
          </p>
          <CodeText label={t('sample')} text={formatBody(preview.data.body)} />
        </>
      )}
    </details>
  )
}

const FilterResult = ({ passes }: { passes: boolean }) => (
  <Badge tone={passes ? 'good' : 'warn'}>{t(passes ? 'passes' : 'heldBack')}</Badge>
)

function usePreview(draft: WebhookDraft, event_type: WebhookEventType) {
  const { filter, template } = toWebhookBody(draft)
  const debouncedBody = useDebounced(JSON.stringify({ event_type, filter, template }))
  return useQuery({
    queryKey: ['webhook-preview', debouncedBody],
    queryFn: ({ signal }) =>
      unwrap(api.POST('/api/admin/webhooks/preview', { body: JSON.parse(debouncedBody), signal })),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), previewDelayMs)
    return () => clearTimeout(timer)
  }, [value])
  return debounced
}
