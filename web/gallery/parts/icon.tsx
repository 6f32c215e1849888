/** Paths with a stroke of 2 in a view box of 24, in the current text color. */
const paths = {
  heart: 'M12 20s-7.5-4.6-7.5-10A4.2 4.2 0 0 1 12 7.4 4.2 4.2 0 0 1 19.5 10c0 5.4-7.5 10-7.5 10z',
  star: 'm12 4 2.5 5.1 5.6.8-4 4 .9 5.6-5-2.7-5 2.7.9-5.6-4-4 5.6-.8z',
  comment: 'M4.5 5.5h15v10.5h-8L7 20v-4H4.5z',
  check: 'm5.5 12.5 4.5 4.5 8.5-9.5',
  close: 'M6 6l12 12M18 6 6 18',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20',
  more: 'M5.4 12a.4.4 0 1 1-.8 0 .4.4 0 0 1 .8 0zM12.4 12a.4.4 0 1 1-.8 0 .4.4 0 0 1 .8 0zM19.4 12a.4.4 0 1 1-.8 0 .4.4 0 0 1 .8 0z',
  download: 'M12 4v11M7.5 10.5 12 15l4.5-4.5M5.5 19.5h13',
  share: 'M12 15V4M8 7.5 12 4l4 3.5M6 11H5v9h14v-9h-1',
  upload: 'M12 15V4M7.5 8.5 12 4l4.5 4.5M5.5 19.5h13',
  play: 'M8 5v14l11-7z',
  pause: 'M8 5v14M16 5v14',
  previous: 'm14.5 5-7 7 7 7',
  next: 'm9.5 5 7 7-7 7',
  compare: 'M4 5h7v14H4zM13 5h7v14h-7z',
  keyboard: 'M3 7h18v10H3zM7 10.5h.01M12 10.5h.01M17 10.5h.01M8 14h8',
  undo: 'M9 6 4.5 10.5 9 15M5 10.5h9a5 5 0 0 1 0 10h-2',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20c.8-3.6 3.8-5.5 7.5-5.5s6.7 1.9 7.5 5.5',
  device: 'M8 3.5h8v17H8zM11.5 17.5h1',
  copy: 'M9 9h10.5v10.5H9zM15 9V4.5H4.5V15H9',
  globe: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17zM3.5 12h17M12 3.5c5 5 5 12 0 17-5-5-5-12 0-17z',
  select: 'M4.5 4.5h15v15h-15zM8.5 12l2.5 2.5 4.5-5',
  full: 'M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15',
  filter:
    'M4 8h8.5M17.5 8H20M4 16h2.5M11.5 16H20M17.5 8a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0zM11.5 16a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0z',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  compareAdd: 'M4 5h8v14H4zM19 9v6M16 12h6',
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name, isFilled = false }: { name: IconName; isFilled?: boolean }) => (
  <svg
    class="icon"
    viewBox="0 0 24 24"
    fill={isFilled ? 'currentColor' : 'none'}
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={paths[name]} />
  </svg>
)
