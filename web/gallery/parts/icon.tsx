import { commonIconPaths } from '../../shared/icon-paths.ts'

/** Stroke paths for a view box of 24 by 24. */
export const iconPaths = {
  ...commonIconPaths,
  keyboard: 'M3 7h18v10H3zM7 10.5h.01M12 10.5h.01M17 10.5h.01M8 14h8',
  device: 'M8 3.5h8v17H8zM11.5 17.5h1',
  list: 'M4.5 6.5h.01M9 6.5h11M4.5 12h.01M9 12h11M4.5 17.5h.01M9 17.5h11',
  tiles: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
} as const

export type IconName = keyof typeof iconPaths

type Props = { name: IconName; isFilled?: boolean }

/** The icons of the grid and its tools. */
export const Icon = ({ name, isFilled = false }: Props) => <Shape path={iconPaths[name]} isFilled={isFilled} />

export const Shape = ({ path, isFilled }: { path: string; isFilled: boolean }) => (
  <svg class={`icon${isFilled ? ' filled' : ''}`} viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
)
