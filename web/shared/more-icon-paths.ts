/** More stroke paths that both apps use, which the grid of the gallery does not need. */
export const moreIconPaths = {
  play: 'M8 5v14l11-7z',
  pause: 'M8 5v14M16 5v14',
  previous: 'm14.5 5-7 7 7 7',
  next: 'm9.5 5 7 7-7 7',
  copy: 'M9 9h10.5v10.5H9zM15 9V4.5H4.5V15H9',
  plus: 'M12 5v14M5 12h14',
} as const
