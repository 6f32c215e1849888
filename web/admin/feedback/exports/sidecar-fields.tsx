import { labelLanguages } from '../../../../contract/exports.ts'
import { colorLabels } from '../../../../contract/marks.ts'
import { colorName } from '../../app/color-name.ts'
import { translator } from '../../app/language.ts'
import { SelectField, TextField } from '../../components/field.tsx'
import type { ExportOptions } from './export-options.ts'

const t = translator('feedback')

type Props = { options: ExportOptions; onOption: (more: Partial<ExportOptions>) => void; isRawInvalid: boolean }

export const SidecarFields = ({ options, onOption, isRawInvalid }: Props) => (
  <div className="columns">
    <SelectField
      label={t('heartAs')}
      help={t('heartAsHelp')}
      value={options.heart}
      onChange={({ target }) => onOption({ heart: target.value })}
    >
      <option value="">{t('heartAsNothing')}</option>
      {[5, 4, 3, 2, 1].map((stars) => (
        <option key={stars} value={String(stars)}>
          {t('heartAsStars', { count: stars })}
        </option>
      ))}
      {colorLabels.map((color) => (
        <option key={color} value={color}>
          {colorName(color)}
        </option>
      ))}
    </SelectField>
    <SelectField
      label={t('labels')}
      help={t('labelsHelp')}
      value={options.labels}
      onChange={({ target }) => onOption({ labels: target.value as ExportOptions['labels'] })}
    >
      {labelLanguages.map((language) => (
        <option key={language} value={language}>
          {t(`labels_${language}`)}
        </option>
      ))}
    </SelectField>
    <SelectField
      label={t('naming')}
      value={options.naming}
      onChange={({ target }) => onOption({ naming: target.value as ExportOptions['naming'] })}
    >
      <option value="stem">{t('naming_stem')}</option>
      <option value="full">{t('naming_full')}</option>
    </SelectField>
    {options.naming === 'full' && (
      <TextField
        label={t('raw')}
        help={t('rawHelp')}
        errorText={isRawInvalid ? t('rawWrong') : null}
        value={options.raw}
        onChange={({ target }) => onOption({ raw: target.value.trim().replace(/^\./, '') })}
      />
    )}
  </div>
)
