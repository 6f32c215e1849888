import { colorLabels } from '../../../contract/marks.ts'
import { translator } from '../desk/language.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { colorName } from '../photos/photo-words.ts'
import type { ExportWishes } from './kept-wishes.ts'

const t = translator('proofing')

type Props = {
  wishes: ExportWishes
  onWish: (more: Partial<ExportWishes>) => void
  isRawWrong: boolean
}

export function SidecarFields({ wishes, onWish, isRawWrong }: Props) {
  return (
    <div className="columns">
      <SelectField
        label={t('heartAs')}
        help={t('heartAsHelp')}
        value={wishes.heart}
        onChange={({ target }) => onWish({ heart: target.value })}
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
        value={wishes.labels}
        onChange={({ target }) => onWish({ labels: target.value as ExportWishes['labels'] })}
      >
        <option value="en">{t('labels_en')}</option>
        <option value="de">{t('labels_de')}</option>
        <option value="bridge">{t('labels_bridge')}</option>
      </SelectField>
      <SelectField
        label={t('naming')}
        value={wishes.naming}
        onChange={({ target }) => onWish({ naming: target.value as ExportWishes['naming'] })}
      >
        <option value="stem">{t('naming_stem')}</option>
        <option value="full">{t('naming_full')}</option>
      </SelectField>
      {wishes.naming === 'full' && (
        <TextField
          label={t('raw')}
          help={t('rawHelp')}
          wrong={isRawWrong ? t('rawWrong') : null}
          value={wishes.raw}
          onChange={({ target }) => onWish({ raw: target.value.trim().replace(/^\./, '') })}
        />
      )}
    </div>
  )
}
