import { effect, untracked } from '@preact/signals'
import { h } from 'preact'
import { nameRequest } from '../marks/guest-name.ts'
import { openDialog } from '../parts/open-dialog.tsx'

export function openNameDialogOnRequest(): void {
  effect(() => {
    const respond = nameRequest.value
    if (respond) untracked(() => void requestName().then(respond))
  })
}

async function requestName(): Promise<boolean> {
  let hasName = false
  const load = async () => {
    const { NameDialog } = await import('./name-dialog.tsx')
    return ({ onClose }: { onClose: () => void }) => {
      const onDone = (is: boolean) => {
        hasName = is
        onClose()
      }
      return h(NameDialog, { onDone })
    }
  }
  await openDialog(load, {})
  return hasName
}
