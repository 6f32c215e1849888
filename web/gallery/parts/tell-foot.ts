/** Publishes how much of the window a bar covers at the bottom as a custom property. */
export function publishBarHeight(
  bar: HTMLElement | null | undefined,
  property: `--${string}`,
): (() => void) | undefined {
  if (!bar) return
  const { style } = document.documentElement
  let told = ''
  const look = () => {
    const foot = bar.offsetHeight === 0 ? '' : `${Math.round(innerHeight - bar.getBoundingClientRect().top)}px`
    if (foot === told) return
    told = foot
    style.setProperty(property, foot)
  }
  const observer = new ResizeObserver(look)
  observer.observe(bar)
  addEventListener('scroll', look, { passive: true })
  addEventListener('resize', look)
  return () => {
    observer.disconnect()
    removeEventListener('scroll', look)
    removeEventListener('resize', look)
    style.removeProperty(property)
  }
}
