import './webhooks.css'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { translator } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { errorMessage } from '../parts/error-messages.ts'
import { SwitchField, TextField } from '../parts/field.tsx'
import { Card } from '../parts/page.tsx'
import { useAskBeforeLeaving } from '../parts/use-ask-before-leaving.ts'
import { BodyFields } from './body-fields.tsx'
import { EventTypeFields } from './event-type-fields.tsx'
import { FilterFields } from './filter-fields.tsx'
import { bodyOf, draftOf, isSame, twicePaths, type WebhookBody, type WebhookDraft } from './webhook-draft.ts'
import { wrongField } from './wrong-words.ts'

const t = translator('webhooks')

type Props<Saved> = {
  first: WebhookDraft
  action: string
  save: (body: WebhookBody) => Promise<Saved>
  onSaved: (saved: Saved) => Promise<void> | void
}

export function WebhookForm<Saved extends WebhookBody>({ first, action, save, onSaved }: Props<Saved>) {
  const form = useRef<HTMLFormElement>(null)
  const [kept, setKept] = useState(first)
  const [draft, setDraft] = useState(first)
  const mayEdit = useMay()('settings.edit')
  const isDirty = !isSame(kept, draft)
  const set = (changes: Partial<WebhookDraft>) => setDraft((before) => ({ ...before, ...changes }))
  const saving = useMutation({
    mutationFn: save,
    onSuccess: (saved) => {
      setKept(draftOf(saved))
      setDraft(draftOf(saved))
      return onSaved(saved)
    },
  })
  const { error } = saving
  const wrong = (path: string) => wrongField(error, path)
  const twice = twicePaths(draft.rows)

  useEffect(() => {
    if (error) showWrongField(form.current)
  }, [error])
  useAskBeforeLeaving(isDirty)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (twice.length > 0) showWrongField(form.current)
    else if (!saving.isPending) saving.mutate(bodyOf(draft))
  }
  return (
    <form ref={form} className="stack" onSubmit={onSubmit} noValidate>
      <fieldset className="webhooks-all" disabled={!mayEdit}>
        <Card title={t('receiver')}>
          <TextField
            label={t('name')}
            help={t('nameHelp')}
            wrong={wrong('name')}
            value={draft.name}
            maxLength={100}
            required
            onChange={({ target }) => set({ name: target.value })}
          />
          <TextField
            label={t('url')}
            help={t('urlHelp')}
            wrong={wrong('url')}
            type="url"
            className="mono"
            dir="ltr"
            placeholder="https://example.com/proofroom"
            value={draft.url}
            maxLength={2048}
            spellCheck={false}
            autoCapitalize="off"
            required
            onChange={({ target }) => set({ url: target.value })}
          />
          <SwitchField
            label={t('active')}
            help={t('activeHelp')}
            checked={draft.active}
            onChange={({ target }) => set({ active: target.checked })}
          />
        </Card>
        <Card title={t('tellItOf')}>
          <EventTypeFields chosen={draft.events} wrong={wrong('events')} onChange={(events) => set({ events })} />
        </Card>
        <FilterFields rows={draft.rows} twice={twice} wrong={wrong('filter')} onChange={(rows) => set({ rows })} />
        <BodyFields draft={draft} wrong={wrong('template')} onChange={(template) => set({ template })} />
      </fieldset>
      {mayEdit && (
        <Buttons isAtEnd>
          {error && (
            <p className="wrong" role="alert">
              {isAboutFields(error) ? t('notSaved') : errorMessage(error)}
            </p>
          )}
          <Button type="submit" kind="primary" isBusy={saving.isPending}>
            {action}
          </Button>
        </Buttons>
      )}
    </form>
  )
}

const isAboutFields = (error: unknown): boolean => error instanceof ApiError && error.details.length > 0

/** Focuses the first rejected field, also in a closed `details` element. */
function showWrongField(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
  const details = field?.closest('details')
  if (details) details.open = true
  field?.focus()
}
