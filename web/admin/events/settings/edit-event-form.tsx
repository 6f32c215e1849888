import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { SwitchField } from '../../components/field.tsx'
import { showNotice } from '../../components/notices.tsx'
import { reportBadInput } from '../../components/report-bad-input.ts'
import { useConfirmLeave } from '../../components/use-confirm-leave.ts'
import type { Event } from '../event-context.tsx'
import { updateCachedEvent } from '../event-queries.ts'
import {
  AdminEmailField,
  CustomerFields,
  DateField,
  NameField,
  PhoneField,
  TypeField,
  WelcomeField,
} from '../fields/about-fields.tsx'
import { DesignFields } from '../fields/design-fields.tsx'
import { diffEventDrafts, isDraftChanged, toEventDraft } from '../fields/event-draft.ts'
import { rejectedPaths } from '../fields/field-errors.ts'
import { PasswordField } from '../fields/password-field.tsx'
import { DownloadFields, FeedbackFields, UploadFields } from '../fields/rule-fields.tsx'
import { EventExpiryField, RevealField } from '../fields/time-fields.tsx'
import { focusInvalidField, useEventForm } from '../fields/use-event-form.ts'
import { rememberPassword } from '../known-passwords.ts'
import { NewLinkDialog } from '../share/new-link-dialog.tsx'
import { SaveBar } from './save-bar.tsx'

const t = translator('events')

type Props = { event: Event; isLocked: boolean; isPhoneKept: boolean }

export function EditEventForm({ event, isLocked, isPhoneKept }: Props) {
  const element = useRef<HTMLFormElement>(null)
  const [saved, setSaved] = useState(() => toEventDraft(event))
  const [isNewLink, setNewLink] = useState(false)
  const save = useMutation({
    mutationFn: () =>
      unwrap(
        api.PATCH('/api/admin/events/{event_id}', {
          params: { path: { event_id: event.id } },
          body: diffEventDrafts(saved, form.draft),
        }),
      ),
    onSuccess: async (changed) => {
      const { password } = form.draft
      if (password !== '') rememberPassword(event.id, password)
      const now = toEventDraft(changed)
      setSaved(now)
      form.setDraft(now)
      setNewLink(changed.share_token !== event.share_token)
      showNotice(t('saved'))
      await updateCachedEvent(changed)
    },
  })
  const form = useEventForm(saved, save.error)
  const isDirty = isDraftChanged(saved, form.draft)
  useConfirmLeave(isDirty)
  useEffect(() => {
    if (save.error) focusInvalidField(element.current)
  }, [save.error])
  // Shows changes from elsewhere (a card on this page or another window), but never overwrites unsaved input.
  useEffect(() => {
    const now = toEventDraft(event)
    if (isDirty || !isDraftChanged(saved, now)) return
    setSaved(now)
    form.setDraft(now)
  })
  const onSubmit = (submitted: FormEvent) => {
    submitted.preventDefault()
    if (reportBadInput(element.current)) return
    if (isDirty && !save.isPending) save.mutate()
  }
  const discard = () => {
    save.reset()
    form.setDraft(saved)
  }
  const { draft } = form
  return (
    <form ref={element} noValidate onSubmit={onSubmit}>
      <fieldset className="edit-event-fields" disabled={isLocked}>
        <legend className="heard">{t('edit')}</legend>
        <Section id="about">
          <NameField form={form} />
          <div className="columns">
            <TypeField form={form} />
            <DateField form={form} />
          </div>
          <div className="columns">
            <CustomerFields form={form} />
            {isPhoneKept && <PhoneField form={form} />}
            <AdminEmailField form={form} />
          </div>
          <WelcomeField form={form} />
        </Section>
        <Section id="access">
          <SwitchField
            label={t('requirePassword')}
            help={t('requirePasswordHelp')}
            {...form.flag('require_password')}
          />
          {draft.require_password && (
            <PasswordField
              label={saved.require_password ? t('newPassword') : t('password')}
              help={saved.require_password ? t('newPasswordHelp') : t('passwordHelp')}
              value={draft.password}
              onChange={(password) => form.set('password', password)}
              errorText={form.errorText('password')}
            />
          )}
          <div className="columns">
            <EventExpiryField form={form} />
            <RevealField form={form} />
          </div>
        </Section>
        <Section id="look">
          <DesignFields form={form} />
        </Section>
        <Section id="downloads">
          <DownloadFields form={form} />
        </Section>
        <Section id="feedback">
          <FeedbackFields form={form} />
        </Section>
        <Section id="uploads">
          <UploadFields form={form} eventId={event.id} />
        </Section>
      </fieldset>
      {isDirty && (
        <SaveBar
          error={save.error}
          hasFieldErrors={rejectedPaths(save.error).some((path) => form.errorText(path) !== null)}
          isBusy={save.isPending}
          onDiscard={discard}
        />
      )}
      {isNewLink && <NewLinkDialog event={event} onClose={() => setNewLink(false)} />}
    </form>
  )
}

type SectionId = 'about' | 'access' | 'look' | 'downloads' | 'feedback' | 'uploads'

const Section = ({ id, children }: { id: SectionId; children: ReactNode }) => (
  <section className="card" id={id} aria-labelledby={`${id}-title`}>
    <div className="card-head">
      <h2 id={`${id}-title`}>{t(`section_${id}`)}</h2>
    </div>
    {children}
  </section>
)
