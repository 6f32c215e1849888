import { commonIconPaths } from '../../shared/icon-paths.ts'
import { moreIconPaths } from '../../shared/more-icon-paths.ts'

/** Stroke paths for a view box of 24 by 24. */
const paths = {
  ...commonIconPaths,
  ...moreIconPaths,
  home: 'M4 11.5 12 5l8 6.5M6 10v9h12v-9M10 19v-5h4v5',
  events: 'M4 6.5h16v13H4zM4 10.5h16M8.5 4v4M15.5 4v4',
  photos: 'M4 5h16v14H4zM4 16l4.5-4.5 4 4 3-3L20 17M15 9.5h.01',
  webhook: 'M12 9.5a3 3 0 1 0-3-3M9 6.5 6 13M6 13a3 3 0 1 0 3 3.5h6M12 9.5l3.5 5.5M15 16.5a3 3 0 1 0 .5-1.5',
  people:
    'M9 11a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 11zM3.5 19c.6-3.2 2.8-4.8 5.5-4.8s4.9 1.6 5.5 4.8M15.5 5.2a3 3 0 0 1 0 5.6M17 14.6c1.9.5 3.1 2 3.5 4.4',
  health: 'M4 12h4l2.5-6 3.5 12 2.5-6H20',
  mail: 'M4 6h16v12H4zM4 7l8 6 8-6',
  activity: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 8v4.5l3 1.8',
  link: 'M10 14a3.5 3.5 0 0 0 5 0l3.5-3.5a3.5 3.5 0 0 0-5-5L12 7M14 10a3.5 3.5 0 0 0-5 0l-3.5 3.5a3.5 3.5 0 0 0 5 5L12 17',
  down: 'm5 9.5 7 7 7-7',
  up: 'm5 16.5 7-7 7 7',
  filter: 'M4 6h16M7 12h10M10 18h4',
  trash: 'M5 7h14M9.5 7V4.5h5V7M7 7l1 12.5h8L17 7M10.5 10.5v5.5M13.5 10.5v5.5',
  archive: 'M4 5h16v4H4zM5.5 9v10h13V9M10 13h4',
  restore: 'M9 6 4.5 10.5 9 15M5 10.5h9a5 5 0 0 1 0 10h-2',
  edit: 'm4.5 19.5 1-4L16 5l3 3L8.5 18.5zM14 7l3 3',
  expand: 'M9 4H4v5M15 4h5v5M9 20H4v-5M15 20h5v-5',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  hidden:
    'M4 4l16 16M9.5 6A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-3 3.8M6 7.7A15.5 15.5 0 0 0 2.5 12S6 18.5 12 18.500a9 9 0 0 0 4-.9',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.300M19.5 4v4.500H15',
  warning: 'M12 4.5 21 19.500H3zM12 10v4.500M12 17h.01',
  info: 'M12 20.500a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 11v5.500M12 7.800h.01',
  key: 'M14.5 13.500a4.5 4.5 0 1 0-4-4L4 16v4h4l.5-2.500H11V15l1.5-1.500M15.5 8.500h.01',
  lock: 'M6 10.500h12v9H6zM8.5 10.500V8a3.5 3.5 0 0 1 7 0v2.5',
  out: 'M14 5H5v14h9M10 12h10M16.5 8.5 20 12l-3.5 3.5',
  send: 'M4 12 20 4.500l-6 15.5-3-6.500zM11 13.500l9-9',
  menu: 'M4 7h16M4 12h16M4 17h16',
  folder: 'M3.5 6h6l2 2.500h9v10h-17z',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  keyboard: 'M3 6.500h18v11H3zM6.500 10h.01M10 10h.01M14 10h.01M17.500 10h.01M8 14h8',
  clock: 'M12 20.500a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM12 7.500V12l3 2',
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name, isFilled = false }: { name: IconName; isFilled?: boolean }) => (
  <svg className={`icon${isFilled ? ' filled' : ''}`} viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
