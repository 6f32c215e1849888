let holders = 0

/**
 * Keeps the page behind a dialog from scrolling; answers what lets it go again. Where a scroll bar goes with it, its place
 * is kept free, so that nothing moves.
 */
export function holdPage(): () => void {
  const { documentElement: root, body } = document
  if (holders++ === 0) {
    body.style.paddingInlineEnd = `${innerWidth - root.clientWidth}px`
    root.style.overflow = 'hidden'
  }
  return () => {
    if (--holders > 0) return
    root.style.overflow = ''
    body.style.paddingInlineEnd = ''
  }
}
