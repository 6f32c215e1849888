import { type ReactNode, useId } from 'react'
import { colorLabels } from '../../../../contract/color-labels.ts'
import { colorName } from '../../app/color-name.ts'
import { translator } from '../../app/language.ts'
import { Icon } from '../../components/icon.tsx'
import { ColorDot } from '../marks/color-dot.tsx'
import { parseColors, toggleColor } from '../model/photo-search.ts'

const t = translator('photos')

export function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be placed beside the content of its fieldset
    <div className="filter-group" role="group" aria-labelledby={id}>
      <p id={id}>{title}</p>
      <div>{children}</div>
    </div>
  )
}

type ToggleProps = { isOn: boolean; onToggle: (isOn: boolean) => void; label?: string; children: ReactNode }

export const Toggle = ({ isOn, onToggle, label, children }: ToggleProps) => (
  <button
    type="button"
    className="filter-toggle"
    aria-pressed={isOn}
    aria-label={label}
    title={label}
    onClick={() => onToggle(!isOn)}
  >
    {children}
  </button>
)

type PartProps<Value> = { value: Value | undefined; onValue: (value: Value | undefined) => void }

export const Stars = ({ value, onValue }: PartProps<number>) =>
  [1, 2, 3, 4, 5].map((stars) => (
    <Toggle
      key={stars}
      isOn={value === stars}
      label={t('starsFrom', { count: stars })}
      onToggle={(isOn) => onValue(isOn ? stars : undefined)}
    >
      {stars}
      <Icon name="star" isFilled />
    </Toggle>
  ))

export const Colors = ({ value, onValue }: PartProps<string>) =>
  colorLabels.map((color) => (
    <Toggle
      key={color}
      isOn={parseColors(value).includes(color)}
      label={colorName(color)}
      onToggle={() => onValue(toggleColor(value, color))}
    >
      <ColorDot color={color} />
    </Toggle>
  ))
