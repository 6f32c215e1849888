import './webhooks.css'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../shared/api-error.ts'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { Buttons, SubmitButton } from '../components/button.tsx'
import { useConfirmLeave } from '../components/confirm.tsx'
import { errorMessage } from '../components/error-messages.ts'
import { SwitchField, TextField } from '../components/field.tsx'
import { Card } from '../components/page.tsx'
import { BodyFields } from './body-fields.tsx'
import { codeInputProps } from './code-text.tsx'
import { EventTypeFields } from './event-type-fields.tsx'
import { findWebhookFieldError } from './field-errors.ts'
import { FilterFields } from './filter-fields.tsx'
import {
  findDuplicatePaths,
  isSameDraft,
  toWebhookBody,
  toWebhookDraft,
  type WebhookBody,
  type WebhookDraft,
} from './webhook-draft.ts'

const t = translator('webhooks')

export const WebhooksLink = () => (
  <Link to="/webhooks" className="webhooks-above">
    {t('webhooks')}
  </Link>
)

type Props<Saved> = {
  initialDraft: WebhookDraft
  action: string
  save: (body: WebhookBody) => Promise<Saved>
  onSaved: (saved: Saved) => Promise<void> | void
}

export function WebhookForm<Saved extends WebhookBody>({ initialDraft, action, save, onSaved }: Props<Saved>) {
  const form = useRef<HTMLFormElement>(null)
  const [stored, setStored] = useState(initialDraft)
  const [draft, setDraft] = useState(initialDraft)
  const canEdit = useHasPermission()('settings.edit')
  const isDirty = !isSameDraft(stored, draft)
  const changeDraft = (changes: Partial<WebhookDraft>) => setDraft((before) => ({ ...before, ...changes }))
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (saved) => {
      setStored(toWebhookDraft(saved))
      setDraft(toWebhookDraft(saved))
      return onSaved(saved)
    },
  })
  const { error } = saving
  const errorText = (path: string) => findWebhookFieldError(error, path)
  const duplicatePaths = findDuplicatePaths(draft.rows)

  useEffect(() => {
    if (error) focusInvalidField(form.current)
  }, [error])
  useConfirmLeave(isDirty)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (duplicatePaths.length > 0) focusInvalidField(form.current)
    else if (!saving.isPending) saving.mutate(toWebhookBody(draft))
  }
  return (
    <form ref={form} className="stack" onSubmit={onSubmit} noValidate>
      <fieldset className="webhooks-all" disabled={!canEdit}>
        <Card title={t('receiver')}>
          <TextField
            label={t('name')}
            help={t('nameHelp')}
            errorText={errorText('name')}
            value={draft.name}
            maxLength={100}
            required
            onChange={({ target }) => changeDraft({ name: target.value })}
          />
          <TextField
            label={t('url')}
            help={t('urlHelp')}
            errorText={errorText('url')}
            type="url"
            {...codeInputProps}
            placeholder="https://example.com/proofroom"
            value={draft.url}
            maxLength={2048}
            required
            onChange={({ target }) => changeDraft({ url: target.value })}
          />
          <SwitchField
            label={t('active')}
            help={t('activeHelp')}
            checked={draft.active}
            onChange={({ target }) => changeDraft({ active: target.checked })}
          />
        </Card>
        <Card title={t('tellItOf')}>
          <EventTypeFields
            chosen={draft.events}
            errorText={errorText('events')}
            onChange={(events) => changeDraft({ events })}
          />
        </Card>
        <FilterFields
          rows={draft.rows}
          duplicatePaths={duplicatePaths}
          errorText={errorText('filter')}
          onChange={(rows) => changeDraft({ rows })}
        />
        <BodyFields
          draft={draft}
          errorText={errorText('template')}
          onChange={(template) => changeDraft({ template })}
        />
      </fieldset>
      {canEdit && (
        <Buttons isAtEnd>
          {error && (
            <p className="wrong" role="alert">
              {hasFieldErrors(error) ? t('notSaved') : errorMessage(error)}
            </p>
          )}
          <SubmitButton isBusy={saving.isPending}>{action}</SubmitButton>
        </Buttons>
      )}
    </form>
  )
}

const hasFieldErrors = (error: unknown): boolean => error instanceof ApiError && error.details.length > 0

/** Focuses the first invalid field, and opens the `details` element that contains it. */
function focusInvalidField(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  const details = field?.closest('details')
  if (details) details.open = true
  field?.focus()
}
