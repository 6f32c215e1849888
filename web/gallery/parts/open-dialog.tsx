import type { ComponentType } from 'preact'
import { openLayer, whenLayersLeft } from '../state/history-layers.ts'
import { handleLoadFailure } from './load-failure.ts'
import { mountAtEnd } from './mount-at-end.ts'

let openCount = 0

/** Returns whether something covers the page or the viewer and handles keys itself. */
export const isDialogOpen = (): boolean => openCount > 0 || document.querySelector('dialog[open]') !== null

/**
 * Resolves when the dialog is closed. The history entry is added before loading, because browsers skip entries that are
 * added without a user action.
 */
export async function openDialog<Props extends object>(
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
        if (!isClosed) hide = mountAtEnd(<Part {...props} onClose={onClose} />)
      },
      () => {
        if (isClosed) return
        onClose()
        whenLayersLeft(() => void handleLoadFailure())
      },
    )
  })
  openCount--
}
