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

/** Makes everything except `exceptions` inert, as a modal dialog does. */
export function makeOthersInert(exceptions: readonly Element[]): () => void {
  const inertElements: HTMLElement[] = []
  const walk = (parent: Element) => {
    for (const child of parent.children) {
      if (!(child instanceof HTMLElement) || exceptions.includes(child) || child.inert) continue
      if (exceptions.some((one) => child.contains(one))) walk(child)
      else {
        child.inert = true
        inertElements.push(child)
      }
    }
  }
  walk(document.body)
  return () => {
    for (const element of inertElements) element.inert = false
  }
}
