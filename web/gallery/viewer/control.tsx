import { Icon, type IconName } from '../parts/icon.tsx'

type ControlProps = {
  icon: IconName
  name: string
  onClick: () => void
  isPressed?: boolean
  /** A disabled control stays focusable, so that keyboard users keep their place. */
  isDisabled?: boolean
  count?: number
  class?: string
}

export function Control({
  icon,
  name,
  onClick,
  isPressed,
  isDisabled = false,
  count = 0,
  class: more = '',
}: ControlProps) {
  return (
    <button
      type="button"
      class={`round viewer-button ${more}`}
      aria-label={name}
      title={name}
      aria-pressed={isPressed}
      aria-disabled={isDisabled || undefined}
      onClick={() => isDisabled || onClick()}
    >
      <Icon name={icon} isFilled={isPressed === true} />
      {count > 0 && <span class="count">{count}</span>}
    </button>
  )
}
