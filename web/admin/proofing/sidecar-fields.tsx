import { colorLabels } from '../../../contract/marks.ts'
import { sayIn } from '../desk/language.ts'
import { SelectField, TextField } from '../parts/field.tsx'
import { colorWords } from '../photos/photo-words.ts'
import type { ExportWishes } from './kept-wishes.ts'

const say = sayIn('proofing')

type Props = {
  wishes: ExportWishes
  onWish: (more: Partial<ExportWishes>) => void
  isRawWrong: boolean
}

export function SidecarFields({ wishes, onWish, isRawWrong }: Props) {
  return (
    <div className="columns">
      <SelectField
        label={say('heartAs')}
        help={say('heartAsHelp')}
        value={wishes.heart}
        onChange={({ target }) => onWish({ heart: target.value })}
      >
        <option value="">{say('heartAsNothing')}</option>
        {[5, 4, 3, 2, 1].map((stars) => (
          <option key={stars} value={String(stars)}>
            {say('heartAsStars', { count: stars })}
          </option>
        ))}
        {colorLabels.map((color) => (
          <option key={color} value={color}>
            {colorWords(color)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={say('labels')}
        help={say('labelsHelp')}
        value={wishes.labels}
        onChange={({ target }) => onWish({ labels: target.value as ExportWishes['labels'] })}
      >
        <option value="en">{say('labels_en')}</option>
        <option value="de">{say('labels_de')}</option>
        <option value="bridge">{say('labels_bridge')}</option>
      </SelectField>
      <SelectField
        label={say('naming')}
        value={wishes.naming}
        onChange={({ target }) => onWish({ naming: target.value as ExportWishes['naming'] })}
      >
        <option value="stem">{say('naming_stem')}</option>
        <option value="full">{say('naming_full')}</option>
      </SelectField>
      {wishes.naming === 'full' && (
        <TextField
          label={say('raw')}
          help={say('rawHelp')}
          wrong={isRawWrong ? say('rawWrong') : null}
          value={wishes.raw}
          onChange={({ target }) => onWish({ raw: target.value.trim().replace(/^\./, '') })}
        />
      )}
    </div>
  )
}
