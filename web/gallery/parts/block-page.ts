let lockCount = 0

/** Prevents page scrolling until all returned functions are called. The width of the scroll bar stays reserved. */
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

/** Makes everything except `exceptions` inert until the returned function is called. */
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
