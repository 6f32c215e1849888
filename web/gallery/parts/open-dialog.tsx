import { type ComponentChild, type ComponentType, render } from 'preact'
import { Unreachable } from '../../shared/api-error.ts'
import { isServiceReachable, reloadPage } from '../../shared/reload-page.ts'
import { openLayer, whenLayersLeft } from '../state/history-layers.ts'
import { t } from '../state/page.ts'
import { showNotice } from './notices.tsx'

let openCount = 0

/** Returns whether a dialog is open or loading. */
export const isDialogOpen = (): boolean => openCount > 0 || document.querySelector('dialog[open]') !== null

/**
 * Resolves when the dialog is closed or cannot be loaded. The history entry is added before loading, because on a step
 * back browsers skip entries that were added without a user action.
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

export function mountAtEnd(content: ComponentChild): () => void {
  const place = document.createElement('div')
  document.body.append(place)
  render(content, place)
  return () => {
    render(null, place)
    place.remove()
  }
}

export function mountAfter(element: HTMLElement, content: ComponentChild): void {
  const place = document.createElement('div')
  element.after(place)
  render(content, place)
}

let hasFailed = false

/** A module that was not requested without a connection has not failed. */
export const handlePreloadFailure = (error: unknown): void => {
  hasFailed ||= !(error instanceof Unreachable)
}

/** Shows a notice at the first failure, and reloads the page at the next if possible. Returns whether it reloads. */
export async function handleLoadFailure(): Promise<boolean> {
  if (hasFailed && (await reloadPage())) return true
  hasFailed = true
  showNotice(t((await isServiceReachable()) ? 'notLoaded' : 'unreachable'), { isError: true })
  return false
}
