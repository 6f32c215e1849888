import type { ComponentType } from 'preact'
import { partFailed } from './part-failed.ts'
import { showInPlace } from './show-in-place.ts'

let openCount = 0

/** Whether something lies over the page, or over the viewer, that takes keys itself. */
export const isCovered = (): boolean => openCount > 0 || document.querySelector('dialog[open]') !== null

/** Loads a dialog at first need and shows it, over the viewer as well; resolves when it has closed itself. */
export async function openOver<Props extends object>(
  load: () => Promise<ComponentType<Props & { onClose: () => void }>>,
  props: Props,
): Promise<void> {
  const Part = await load().catch(() => null)
  if (!Part) return void partFailed()
  openCount++
  await new Promise<void>((resolve) => {
    showInPlace((close) => {
      const onClose = () => {
        close()
        resolve()
      }
      return <Part {...props} onClose={onClose} />
    })
  })
  openCount--
}
