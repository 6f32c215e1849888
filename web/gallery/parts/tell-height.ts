/**
 * Keeps the height of a bar at the foot of the window in a custom property of the page, so that what lies above it can
 * leave it room, however large its text is. Answers what ends that.
 */
export function tellHeight(bar: HTMLElement | null | undefined, property: `--${string}`): (() => void) | undefined {
  if (!bar) return
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty(property, `${bar.offsetHeight}px`))
  observer.observe(bar)
  return () => {
    observer.disconnect()
    style.removeProperty(property)
  }
}
