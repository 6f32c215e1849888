/** Keeps a CSS custom property equal to the height that a bar covers at the bottom of the window. */
export function publishBarHeight(
  bar: HTMLElement | null | undefined,
  property: `--${string}`,
): (() => void) | undefined {
  if (!bar) return
  const { style } = document.documentElement
  let published = ''
  const update = () => {
    const height = bar.offsetHeight === 0 ? '' : `${Math.round(innerHeight - bar.getBoundingClientRect().top)}px`
    if (height === published) return
    published = height
    style.setProperty(property, height)
  }
  const observer = new ResizeObserver(update)
  observer.observe(bar)
  addEventListener('scroll', update, { passive: true })
  addEventListener('resize', update)
  return () => {
    observer.disconnect()
    removeEventListener('scroll', update)
    removeEventListener('resize', update)
    style.removeProperty(property)
  }
}
