import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { translator } from '../../app/language.ts'
import { Button, Buttons } from '../../components/button.tsx'
import { useConfirmLeave } from '../../components/confirm.tsx'
import { errorMessage } from '../../components/error-messages.ts'
import { SwitchField } from '../../components/field.tsx'
import { showNotice } from '../../components/notices.tsx'
import type { Event } from '../event-context.tsx'
import { changeEvent, updateCachedEvent } from '../event-queries.ts'
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
import { CoverFocusField } from '../fields/cover-focus-field.tsx'
import { DesignFields } from '../fields/design-fields.tsx'
import { diffEventDrafts, isDraftChanged, toEventDraft } from '../fields/event-draft.ts'
import { PasswordField } from '../fields/password-field.tsx'
import { DownloadFields, FeedbackFields, UploadFields } from '../fields/rule-fields.tsx'
import { EventExpiryField, RevealField, SessionDaysField } from '../fields/time-fields.tsx'
import { type EventForm, useEventForm, useEventSubmit } from '../fields/use-event-form.ts'
import { rememberPassword } from '../known-passwords.ts'
import { NewLinkDialog } from '../share/link-and-password.tsx'
import { DesignPreview } from './design-preview.tsx'
import { Section } from './section.tsx'

const t = translator('events')

export function EditEventForm({
  event,
  isLocked,
  isPhoneKept,
}: {
  event: Event
  isLocked: boolean
  isPhoneKept: boolean
}) {
  const [saved, setSaved] = useState(() => toEventDraft(event))
  const [isNewLink, setNewLink] = useState(false)
  const save = useMutation({
    mutationFn: () => changeEvent(event.id, diffEventDrafts(saved, form.draft)),
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
  const formProps = useEventSubmit(save.error, () => {
    if (isDirty && !save.isPending) save.mutate()
  })
  // Shows changes from elsewhere (a card on this page or another window), but never overwrites unsaved input.
  useEffect(() => {
    const now = toEventDraft(event)
    if (isDirty || !isDraftChanged(saved, now)) return
    setSaved(now)
    form.setDraft(now)
  })
  const discard = () => {
    save.reset()
    form.setDraft(saved)
  }
  return (
    <form {...formProps}>
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
          <LanguageField form={form} />
          <WelcomeField form={form} />
        </Section>
        <AccessSection form={form} hadPassword={saved.require_password} />
        <Section id="look">
          <DesignFields form={form}>
            {event.cover_photo_id !== null && (
              <CoverFocusField form={form} event={event} photoId={event.cover_photo_id} />
            )}
          </DesignFields>
          <DesignPreview event={event} draft={form.draft} />
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
        <div className="save-bar">
          <p role="status" className={save.error ? 'wrong' : ''}>
            {save.error ? (form.hasFieldErrors ? t('notSaved') : errorMessage(save.error)) : t('unsaved')}
          </p>
          <Buttons isAtEnd>
            <Button kind="quiet" onClick={discard}>
              {t('discard')}
            </Button>
            <Button type="submit" kind="primary" isBusy={save.isPending}>
              {t('save')}
            </Button>
          </Buttons>
        </div>
      )}
      {isNewLink && <NewLinkDialog event={event} onClose={() => setNewLink(false)} />}
    </form>
  )
}

const AccessSection = ({ form, hadPassword }: { form: EventForm; hadPassword: boolean }) => (
  <Section id="access">
    <SwitchField label={t('requirePassword')} help={t('requirePasswordHelp')} {...form.flag('require_password')} />
    {form.draft.require_password && (
      <PasswordField
        label={hadPassword ? t('newPassword') : t('password')}
        help={hadPassword ? t('newPasswordHelp') : t('passwordHelp')}
        value={form.draft.password}
        onChange={(password) => form.set('password', password)}
        errorText={form.errorText('password')}
      />
    )}
    <div className="columns">
      <EventExpiryField form={form} canNeverExpire />
      <RevealField form={form} />
      <SessionDaysField form={form} />
    </div>
  </Section>
)
