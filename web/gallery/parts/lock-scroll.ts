let lockCount = 0

/** Stops the page under a dialog from scrolling, and reserves the width of the scroll bar so that nothing moves. */
export function lockScroll(): () => void {
  const { documentElement: root, body } = document
  if (lockCount++ === 0) {
    body.style.paddingInlineEnd = `${innerWidth - root.clientWidth}px`
    root.style.overflow = 'hidden'
  }
  return () => {
    if (--lockCount > 0) return
    root.style.overflow = ''
    body.style.paddingInlineEnd = ''
  }
}
