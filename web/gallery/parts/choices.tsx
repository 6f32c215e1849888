import './choices.css'
import type { ComponentChildren } from 'preact'

type GroupProps = { name: string; isTight?: boolean; children: ComponentChildren }

export const ChoiceGroup = ({ name, isTight = false, children }: GroupProps) => (
  <fieldset class="choice-group">
    <legend>{name}</legend>
    <div class={`choices${isTight ? ' tight' : ''}`}>{children}</div>
  </fieldset>
)

type ChoiceProps = {
  isOn: boolean
  onChoose: () => void
  /** The name of the radio group. Without a name the choice is a checkbox. */
  group?: string
  children: ComponentChildren
}

export const Choice = ({ isOn, onChoose, group, children }: ChoiceProps) => (
  <label class="choice">
    <input
      class="heard"
      type={group ? 'radio' : 'checkbox'}
      {...(group && { name: group })}
      checked={isOn}
      onChange={onChoose}
    />
    {children}
  </label>
)
