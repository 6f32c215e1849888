import './new-event-form.css'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { suggestPassword } from '../../../../contract/suggest-password.ts'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { Button, Buttons } from '../../components/button.tsx'
import { Choices } from '../../components/choices.tsx'
import { useConfirmLeave } from '../../components/confirm.tsx'
import { errorMessage } from '../../components/error-messages.ts'
import { CheckField } from '../../components/field.tsx'
import { invalidateEvents } from '../event-queries.ts'
import {
  AdminEmailField,
  CustomerFields,
  DateField,
  LanguageField,
  NameField,
  PhoneField,
  TypeField,
  WelcomeField,
} from '../fields/about-fields.tsx'
import { DesignFields } from '../fields/design-fields.tsx'
import { createEventBody, createEventDraft, type EventDraft, isDraftChanged } from '../fields/event-draft.ts'
import { PasswordField } from '../fields/password-field.tsx'
import { DownloadFields, FeedbackFields, UploadFields } from '../fields/rule-fields.tsx'
import { EventExpiryField, RevealField } from '../fields/time-fields.tsx'
import { type EventForm, useEventForm, useEventSubmit } from '../fields/use-event-form.ts'
import { rememberPassword } from '../known-passwords.ts'

const t = translator('events')

type Props = {
  defaults: Schemas['EventDefaults']
  onCreated: (created: { id: number; isDraft: boolean }) => Promise<void> | void
  isShort?: boolean
}

/** Shows the main and the required fields. The others are in a collapsed section, or not shown if `isShort`. */
export function NewEventForm({ defaults, onCreated, isShort = false }: Props) {
  const [first] = useState(() => createFirstDraft(defaults, isShort))
  const [isDraft, setDraft] = useState(false)
  const [shouldSendMail, setShouldSendMail] = useState(false)
  const create = useMutation({
    mutationFn: () => {
      const { is_phone_kept: isPhoneKept } = defaults
      const body = createEventBody({ first, draft: form.draft, isPhoneKept, isDraft, shouldSendMail })
      return unwrap(api.POST('/api/admin/events', { body }))
    },
    onSuccess: async ({ id }) => {
      if (form.draft.require_password) rememberPassword(id, form.draft.password)
      await invalidateEvents()
      await onCreated({ id, isDraft })
    },
  })
  const form = useEventForm(first, create.error, { isNew: true })
  useConfirmLeave(isDraftChanged(first, form.draft) && !create.isPending && !create.isSuccess)
  const formProps = useEventSubmit(create.error, () => {
    if (!create.isPending) create.mutate()
  })
  const { draft } = form
  const isRequired = (field: string): boolean => defaults.required.includes(field)
  return (
    <form className="stack new-event" {...formProps}>
      <NameField form={form} isFirst />
      <div className="columns">
        <TypeField form={form} />
        <DateField form={form} requiredFields={defaults.required} />
      </div>
      {(!isShort || isRequired('customer_name') || isRequired('customer_email')) && (
        <div className="columns">
          <CustomerFields form={form} requiredFields={defaults.required} />
        </div>
      )}
      {isRequired('admin_email') && <AdminEmailField form={form} />}
      {isRequired('expiration_days') && <EventExpiryField form={form} />}
      <Choices
        label={t('waysIn')}
        value={draft.require_password ? 'password' : 'link'}
        onChange={(value) => form.set('require_password', value === 'password')}
        choices={[
          { value: 'password', label: t('withPassword'), help: t('withPasswordHelp') },
          { value: 'link', label: t('withLink'), help: t('withLinkHelp') },
        ]}
      />
      {draft.require_password && (
        <PasswordField
          label={t('password')}
          help={t('passwordHelp')}
          value={draft.password}
          onChange={(password) => form.set('password', password)}
          errorText={form.errorText('password')}
        />
      )}
      {!isShort && (
        <Choices
          label={t('start')}
          value={isDraft ? 'draft' : 'live'}
          onChange={(value) => setDraft(value === 'draft')}
          choices={[
            { value: 'live', label: t('startLive'), help: t('startLiveHelp') },
            { value: 'draft', label: t('startDraft'), help: t('startDraftHelp') },
          ]}
        />
      )}
      {!isDraft && draft.customer_email.includes('@') && (
        <CheckField
          label={t('mailTo', { email: draft.customer_email })}
          help={t(draft.require_password ? 'mailNowWithPassword' : 'mailNow')}
          checked={shouldSendMail}
          onChange={({ target }) => setShouldSendMail(target.checked)}
        />
      )}
      {!isShort && <MoreFields form={form} defaults={defaults} />}
      {create.error && !form.hasFieldErrors && (
        <p className="wrong" role="alert">
          {errorMessage(create.error)}
        </p>
      )}
      <Buttons>
        <Button type="submit" kind="primary" isBusy={create.isPending}>
          {isDraft ? t('createDraft') : t('create')}
        </Button>
      </Buttons>
    </form>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="stack event-section">
    <h2>{title}</h2>
    {children}
  </section>
)

function MoreFields({ form, defaults }: { form: EventForm; defaults: Props['defaults'] }) {
  const isRequired = (field: string): boolean => defaults.required.includes(field)
  return (
    <details className="event-more">
      <summary>{t('more')}</summary>
      <div className="stack">
        <Section title={t('welcome')}>
          <LanguageField form={form} />
          <WelcomeField form={form} />
          {defaults.is_phone_kept && <PhoneField form={form} />}
          {!isRequired('admin_email') && <AdminEmailField form={form} />}
        </Section>
        <Section title={t('sectionTime')}>
          {!isRequired('expiration_days') && <EventExpiryField form={form} />}
          <RevealField form={form} />
        </Section>
        <Section title={t('sectionLook')}>
          <DesignFields form={form} />
        </Section>
        <Section title={t('sectionDownloads')}>
          <DownloadFields form={form} />
        </Section>
        <Section title={t('sectionFeedback')}>
          <FeedbackFields form={form} />
        </Section>
        <Section title={t('sectionUploads')}>
          <UploadFields form={form} eventId={null} />
        </Section>
      </div>
    </details>
  )
}

/** The first steps suggest a password, so that there is nothing to invent. */
function createFirstDraft(defaults: Schemas['EventDefaults'], hasSuggestion: boolean): EventDraft {
  const draft = createEventDraft(defaults)
  return hasSuggestion && draft.require_password ? { ...draft, password: suggestPassword() } : draft
}
