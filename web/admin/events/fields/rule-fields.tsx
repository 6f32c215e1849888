import './rule-fields.css'
import { useQuery } from '@tanstack/react-query'
import { type EventSwitch, getFeature, rankSwitches } from '../../../../contract/event-features.ts'
import { findMessage, translator } from '../../app/language.ts'
import { SelectField, SwitchField, TextField } from '../../components/field.tsx'
import { eventCategoriesQuery, globalCategoriesQuery } from '../event-queries.ts'
import type { EventForm } from './use-event-form.ts'

const t = translator('events')

type Props = { form: EventForm }

function Switches({ form, keys }: Props & { keys: ReadonlyArray<EventSwitch | undefined> }) {
  return keys
    .filter((key) => key !== undefined)
    .map((key) => {
      const { needs, isIncludedIn } = getFeature(key)
      const help = findMessage('events', `switchHelp_${key}`)
      return (
        <SwitchField
          key={key}
          label={t(`switch_${key}`)}
          {...(help && { help })}
          {...form.flag(key)}
          disabled={(needs && !form.draft[needs]) || (isIncludedIn && form.draft[isIncludedIn])}
        />
      )
    })
}

const [allowDownloads, ...downloadRules] = rankSwitches('downloads')

export const DownloadFields = ({ form }: Props) => (
  <>
    <Switches form={form} keys={[allowDownloads]} />
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
    <Switches form={form} keys={downloadRules} />
  </>
)

const [feedbackEnabled, ...feedbackRules] = rankSwitches('feedback')

export const FeedbackFields = ({ form }: Props) => (
  <>
    <Switches form={form} keys={[feedbackEnabled]} />
    <fieldset className="event-switches" disabled={!form.draft.feedback_enabled}>
      <legend className="heard">{t('feedbackKinds')}</legend>
      <div className="columns">
        <Switches form={form} keys={rankSwitches('kinds')} />
      </div>
      <Switches form={form} keys={feedbackRules} />
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
        <Switches form={form} keys={rankSwitches('uploads')} />
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
