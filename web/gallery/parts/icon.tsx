import { commonIconPaths } from '../../shared/icon-paths.ts'

/** Stroke paths for a view box of 24 by 24. */
const paths = {
  ...commonIconPaths,
  compare: 'M4 5h7v14H4zM13 5h7v14h-7z',
  pencil: 'M5 19l1-4L16 5l3 3L9 18z',
  keyboard: 'M3 7h18v10H3zM7 10.5h.01M12 10.5h.01M17 10.5h.01M8 14h8',
  device: 'M8 3.5h8v17H8zM11.5 17.5h1',
  full: 'M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15',
  list: 'M4.5 6.5h.01M9 6.5h11M4.5 12h.01M9 12h11M4.5 17.5h.01M9 17.5h11',
  minus: 'M5 12h14',
  tiles: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  compareAdd: 'M4 5h8v14H4zM19 9v6M16 12h6',
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name, isFilled = false }: { name: IconName; isFilled?: boolean }) => (
  <svg class={`icon${isFilled ? ' filled' : ''}`} viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
