import '../../../typefaces/samples.css'
import './design-fields.css'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { translator } from '../../app/language.ts'
import { Choices } from '../../components/choices.tsx'
import { SelectField } from '../../components/field.tsx'
import { eventTypesQuery } from '../event-queries.ts'
import {
  coverLayouts,
  getRecommendedHeader,
  getTypefaceOfTheme,
  headerStyles,
  isThemePreset,
  themePresets,
  typefaceNames,
  typefaces,
} from './themes.ts'
import type { EventForm } from './use-event-form.ts'

const t = translator('events')

const sorts = [
  'upload_date_asc',
  'upload_date_desc',
  'capture_date_asc',
  'capture_date_desc',
  'filename_asc',
  'filename_desc',
  'manual',
] as const

/**
 * Without a choice, selects the theme of the event type (or `classic`), and the recommended header of that theme.
 * `children` are fields of the cover.
 */
export function DesignFields({ form, children }: { form: EventForm; children?: ReactNode }) {
  const { data: types = [] } = useQuery(eventTypesQuery)
  const { event_type, theme_preset, header_style, typeface } = form.draft
  const typeTheme = types.find(({ slug_prefix }) => slug_prefix === event_type)?.theme_preset ?? 'classic'
  const theme = isThemePreset(theme_preset) ? theme_preset : isThemePreset(typeTheme) ? typeTheme : 'classic'
  const header = headerStyles.find((one) => one === header_style) ?? getRecommendedHeader(theme)
  return (
    <>
      <Choices
        label={t('theme')}
        isPictured
        value={theme}
        onChange={(value) => form.set('theme_preset', value)}
        choices={themePresets.map((value) => ({
          value,
          label: t(`theme_${value}`),
          picture: <span className={`swatch theme-${value} type-${getTypefaceOfTheme(value)}`} aria-hidden="true" />,
        }))}
      />
      <Choices
        label={t('typeface')}
        isPictured
        value={typeface}
        onChange={(value) => form.set('typeface', value)}
        choices={['' as const, ...typefaces].map((value) => ({
          value,
          label: value === '' ? t('typefaceOfTheme') : typefaceNames[value],
          picture: <TypefaceSample theme={theme} typeface={value || getTypefaceOfTheme(theme)} />,
        }))}
      />
      <Choices
        label={t('header')}
        isPictured
        value={header}
        onChange={(value) => form.set('header_style', value)}
        choices={headerStyles.map((value) => ({
          value,
          label: t(`header_${value}`),
          picture: <span className={`sketch sketch-${value}`} aria-hidden="true" />,
        }))}
      />
      {header === 'hero' && (
        <Choices
          label={t('coverLayout')}
          isPictured
          value={coverLayouts.find((one) => one === form.draft.cover_layout) ?? 'full'}
          onChange={(value) => form.set('cover_layout', value)}
          choices={coverLayouts.map((value) => ({
            value,
            label: t(`cover_${value}`),
            picture: <span className={`sketch sketch-${value}`} aria-hidden="true" />,
          }))}
        />
      )}
      {header === 'hero' && form.draft.cover_layout !== 'words' && children}
      <SelectField label={t('sort')} {...form.text('default_photo_sort')}>
        {sorts.map((sort) => (
          <option key={sort} value={sort}>
            {t(`sort_${sort}`)}
          </option>
        ))}
      </SelectField>
    </>
  )
}

const TypefaceSample = ({ theme, typeface }: { theme: string; typeface: string }) => (
  <span className={`swatch theme-${theme} type-${typeface}`} data-sample="Ana & Ben" aria-hidden="true" />
)
