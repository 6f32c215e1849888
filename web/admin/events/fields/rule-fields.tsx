import './rule-fields.css'
import { useQuery } from '@tanstack/react-query'
import { translator } from '../../app/language.ts'
import { SelectField, SwitchField, TextField } from '../../components/field.tsx'
import { eventCategoriesQuery, globalCategoriesQuery } from '../event-queries.ts'
import type { EventForm } from './use-event-form.ts'

const t = translator('events')

type Props = { form: EventForm }

export const DownloadFields = ({ form }: Props) => (
  <>
    <SwitchField label={t('allowDownloads')} {...form.flag('allow_downloads')} />
    <div className="columns">
      <TextField
        label={t('maxPx')}
        help={t('maxPxHelp')}
        type="number"
        inputMode="numeric"
        min={320}
        max={20_000}
        placeholder={t('maxPxNone')}
        {...form.text('download_max_px')}
      />
      <TextField
        label={t('watermarkText')}
        help={t('watermarkTextHelp')}
        maxLength={200}
        {...form.text('watermark_text')}
      />
    </div>
    <SwitchField
      label={t('watermarkDownloads')}
      help={t('watermarkDownloadsHelp')}
      {...form.flag('watermark_downloads')}
    />
    <SwitchField label={t('stripLocation')} help={t('stripLocationHelp')} {...form.flag('strip_location')} />
    <SwitchField
      label={t('allowRawDownloads')}
      help={t('allowRawDownloadsHelp')}
      {...form.flag('allow_raw_downloads')}
    />
    <SwitchField
      label={t('allowSignedPictures')}
      help={t('allowSignedPicturesHelp')}
      {...form.flag('allow_signed_pictures')}
    />
  </>
)

const kinds = ['allow_favorites', 'allow_likes', 'allow_ratings', 'allow_color_labels', 'allow_comments'] as const

export const FeedbackFields = ({ form }: Props) => (
  <>
    <SwitchField label={t('feedbackEnabled')} help={t('feedbackEnabledHelp')} {...form.flag('feedback_enabled')} />
    <fieldset className="event-switches" disabled={!form.draft.feedback_enabled}>
      <legend className="heard">{t('feedbackKinds')}</legend>
      <div className="columns">
        {kinds.map((key) => (
          <SwitchField key={key} label={t(`switch_${key}`)} {...form.flag(key)} />
        ))}
      </div>
      <SwitchField
        label={t('moderateComments')}
        help={t('moderateCommentsHelp')}
        {...form.flag('moderate_comments')}
        disabled={!form.draft.allow_comments}
      />
      <SwitchField label={t('allowNotes')} help={t('allowNotesHelp')} {...form.flag('allow_notes')} />
      <SwitchField label={t('showFeedback')} help={t('showFeedbackHelp')} {...form.flag('show_feedback_to_guests')} />
      <SwitchField
        label={t('askName')}
        help={t('askNameHelp')}
        {...form.flag('ask_guest_name')}
        disabled={form.draft.require_guest_name}
      />
      <SwitchField label={t('requireName')} help={t('requireNameHelp')} {...form.flag('require_guest_name')} />
    </fieldset>
  </>
)

/** `eventId` is null for a new event, which has only global categories. */
export function UploadFields({ form, eventId }: Props & { eventId: number | null }) {
  const eventCategories = useQuery({ ...eventCategoriesQuery(eventId ?? 0), enabled: eventId !== null })
  const globalCategories = useQuery({ ...globalCategoriesQuery, enabled: eventId === null })
  const categories = (eventId === null ? globalCategories.data : eventCategories.data) ?? []
  const { allow_user_uploads: isAllowed } = form.draft
  const toggleUploads = ({ target }: { target: { checked: boolean } }) => {
    form.set('allow_user_uploads', target.checked)
    const defaultCategory = categories.find(({ slug, is_global }) => is_global && slug === 'guest-uploads')
    if (target.checked && form.draft.upload_category_id === '' && defaultCategory) {
      form.set('upload_category_id', String(defaultCategory.id))
    }
  }
  return (
    <>
      <SwitchField label={t('allowUploads')} {...form.flag('allow_user_uploads')} onChange={toggleUploads} />
      <fieldset className="event-switches" disabled={!isAllowed}>
        <legend className="heard">{t('guestUploads')}</legend>
        <SelectField label={t('uploadCategory')} {...form.text('upload_category_id')}>
          <option value="">{t('chooseCategory')}</option>
          {categories.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <SwitchField label={t('moderateUploads')} help={t('moderateUploadsHelp')} {...form.flag('moderate_uploads')} />
      </fieldset>
      <TextField
        label={t('photoCap')}
        help={t('photoCapHelp')}
        type="number"
        inputMode="numeric"
        min={0}
        placeholder={t('photoCapNone')}
        {...form.text('photo_cap')}
      />
    </>
  )
}
