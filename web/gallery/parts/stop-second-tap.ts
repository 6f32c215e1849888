/** A second tap within this time is part of a double tap. */
const doubleTapMs = 500

/** Call it when a tap on the button closes a dialog, so that a double tap does not reach what is below. */
export function stopSecondTap(button: HTMLElement): void {
  const { left, right, top, bottom } = button.getBoundingClientRect()
  const stop = (event: MouseEvent) => {
    const { clientX: x, clientY: y } = event
    if (x < left || x > right || y < top || y > bottom) return
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', stop, { capture: true, signal: AbortSignal.timeout(doubleTapMs) })
}
