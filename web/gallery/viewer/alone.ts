/** Makes everything except `exceptions` inert, as a modal dialog does. */
export function standAlone(kept: readonly Element[]): () => void {
  const resting: HTMLElement[] = []
  const walk = (parent: Element) => {
    for (const child of parent.children) {
      if (!(child instanceof HTMLElement) || kept.includes(child) || child.inert) continue
      if (kept.some((one) => child.contains(one))) walk(child)
      else {
        child.inert = true
        resting.push(child)
      }
    }
  }
  walk(document.body)
  return () => {
    for (const element of resting) element.inert = false
  }
}
