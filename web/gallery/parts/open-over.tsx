import type { ComponentType } from 'preact'
import { openLayer, whenLeft } from '../state/way-back.ts'
import { partFailed } from './part-failed.ts'
import { showInPlace } from './show-in-place.ts'

let openCount = 0

/** Whether something lies over the page, or over the viewer, that takes keys itself. */
export const isCovered = (): boolean => openCount > 0 || document.querySelector('dialog[open]') !== null

/**
 * Loads a dialog at first need and shows it, over the viewer as well; resolves when it has been closed, by itself or by a
 * step back. That step is there at once: browsers take back what is added to the history without a touch, and whoever
 * does not want to wait for what is being loaded goes back too.
 */
export async function openOver<Props extends object>(
  load: () => Promise<ComponentType<Props & { onClose: () => void }>>,
  props: Props,
): Promise<void> {
  openCount++
  await new Promise<void>((resolve) => {
    let isClosed = false
    let hide = () => {}
    const onClose = () => {
      if (isClosed) return
      isClosed = true
      leave()
      hide()
      resolve()
    }
    const leave = openLayer(onClose)
    load().then(
      (Part) => {
        if (!isClosed) hide = showInPlace(<Part {...props} onClose={onClose} />)
      },
      () => {
        if (isClosed) return
        onClose()
        whenLeft(() => void partFailed())
      },
    )
  })
  openCount--
}
