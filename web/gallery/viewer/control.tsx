import { Icon, type IconName } from '../parts/icon.tsx'

type ControlProps = {
  icon: IconName
  name: string
  onClick: () => void
  isPressed?: boolean
  /** It stays where it is, so that whoever has come to it does not lose the place. */
  isOff?: boolean
  count?: number
  class?: string
}

/** A round button of the viewer. */
export function Control({ icon, name, onClick, isPressed, isOff = false, count = 0, class: more = '' }: ControlProps) {
  return (
    <button
      type="button"
      class={`round viewer-button ${more}`}
      aria-label={name}
      title={name}
      aria-pressed={isPressed}
      aria-disabled={isOff || undefined}
      onClick={() => isOff || onClick()}
    >
      <Icon name={icon} isFilled={isPressed === true} />
      {count > 0 && <span class="count">{count}</span>}
    </button>
  )
}
