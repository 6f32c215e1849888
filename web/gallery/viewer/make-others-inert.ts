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
