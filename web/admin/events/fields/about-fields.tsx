import { useQuery } from '@tanstack/react-query'
import { languages } from '../../../../contract/languages.ts'
import { nameLanguage } from '../../../../locales/name-language.ts'
import { translator } from '../../app/language.ts'
import { SelectField, TextArea, TextField } from '../../components/field.tsx'
import { eventTypesQuery } from '../event-queries.ts'
import { typeLabel, useTypeLabels } from '../type-labels.ts'
import type { EventForm } from './use-event-form.ts'

const t = translator('events')

type Props = { form: EventForm }
/** `requiredFields`: the fields that the settings require of a new event; missing for an existing event. */
type OptionalProps = Props & { requiredFields?: readonly string[] }

export const NameField = ({ form, isFirst = false }: Props & { isFirst?: boolean }) => (
  <TextField
    label={t('name')}
    help={isFirst ? t('nameHelp') : undefined}
    maxLength={200}
    required
    autoFocus={isFirst}
    autoComplete="off"
    {...form.text('event_name')}
  />
)

export function TypeField({ form }: Props) {
  const { data: types = [] } = useQuery(eventTypesQuery)
  const typeLabelOfSlug = useTypeLabels()
  const { event_type: chosen } = form.draft
  const isListed = types.some(({ slug_prefix }) => slug_prefix === chosen)
  return (
    <SelectField label={t('type')} required {...form.text('event_type')}>
      {chosen === '' && <option value="">{t('chooseType')}</option>}
      {chosen !== '' && !isListed && <option value={chosen}>{typeLabelOfSlug(chosen)}</option>}
      {types.map((type) => (
        <option key={type.slug_prefix} value={type.slug_prefix}>
          {typeLabel(type)}
        </option>
      ))}
    </SelectField>
  )
}

export const DateField = ({ form, requiredFields }: OptionalProps) => (
  <TextField
    label={t(isOptional(requiredFields, 'event_date') ? 'dateOptional' : 'date')}
    type="date"
    {...form.text('event_date')}
  />
)

export const CustomerFields = ({ form, requiredFields }: OptionalProps) => (
  <>
    <TextField
      label={t(isOptional(requiredFields, 'customer_name') ? 'customerNameOptional' : 'customerName')}
      maxLength={200}
      autoComplete="off"
      {...form.text('customer_name')}
    />
    <TextField
      label={t(isOptional(requiredFields, 'customer_email') ? 'customerEmailOptional' : 'customerEmail')}
      help={t('customerEmailHelp')}
      type="email"
      maxLength={254}
      autoComplete="off"
      {...form.text('customer_email')}
    />
  </>
)

const isOptional = (requiredFields: readonly string[] | undefined, field: string): boolean =>
  requiredFields !== undefined && !requiredFields.includes(field)

export const PhoneField = ({ form }: Props) => (
  <TextField label={t('customerPhone')} type="tel" maxLength={32} autoComplete="off" {...form.text('customer_phone')} />
)

export const AdminEmailField = ({ form }: Props) => (
  <TextField
    label={t('adminEmail')}
    help={t('adminEmailHelp')}
    type="email"
    maxLength={254}
    autoComplete="off"
    {...form.text('admin_email')}
  />
)

export const LanguageField = ({ form }: Props) => (
  <SelectField label={t('language')} help={t('languageHelp')} {...form.text('language')}>
    <option value="">{t('languageOfGuests')}</option>
    {languages.map((code) => (
      <option key={code} value={code}>
        {nameLanguage(code)}
      </option>
    ))}
  </SelectField>
)

export const WelcomeField = ({ form }: Props) => (
  <TextArea
    label={t('welcome')}
    help={t('welcomeHelp')}
    rows={5}
    maxLength={10_000}
    {...form.text('welcome_message')}
  />
)
