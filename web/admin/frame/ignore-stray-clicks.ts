const controls = 'button, a[href], label, input'

/**
 * Ignores the second click of a double click where it meets another control than the first: what the first one did has
 * moved the controls, such as the next row of a list under the pointer.
 */
export function ignoreStrayClicks(): void {
  let first: Element | null = null
  let isStray = false
  const listen = (type: 'click' | 'dblclick', check: (event: MouseEvent) => boolean) =>
    addEventListener(
      type,
      (event) => {
        if (!check(event)) return
        event.preventDefault()
        event.stopPropagation()
      },
      { capture: true },
    )
  listen('click', (event) => {
    const control = findControl(event)
    if (event.detail <= 1) first = control
    isStray = event.detail > 1 && first !== null && control !== first
    return isStray
  })
  listen('dblclick', () => isStray)
}

/** A click on a label is also one on its field. */
function findControl({ target }: Event): Element | null {
  const control = target instanceof Element ? target.closest(controls) : null
  return control instanceof HTMLLabelElement ? (control.control ?? control) : control
}
