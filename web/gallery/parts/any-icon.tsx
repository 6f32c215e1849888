import { moreIconPaths } from '../../shared/more-icon-paths.ts'
import { iconPaths, Shape } from './icon.tsx'

const paths = {
  ...iconPaths,
  ...moreIconPaths,
  compare: 'M4 5h7v14H4zM13 5h7v14h-7z',
  pencil: 'M5 19l1-4L16 5l3 3L9 18z',
  full: 'M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15',
  minus: 'M5 12h14',
  compareAdd: 'M4 5h8v14H4zM19 9v6M16 12h6',
} as const

export type AnyIconName = keyof typeof paths

/** Also has the icons of parts that are loaded later. */
export const AnyIcon = ({ name, isFilled = false }: { name: AnyIconName; isFilled?: boolean }) => (
  <Shape path={paths[name]} isFilled={isFilled} />
)
