import { effect, untracked } from '@preact/signals'
import { h } from 'preact'
import { nameWanted } from '../marks/guest-name.ts'
import { openOver } from '../parts/open-over.tsx'

export function watchNameWanted(): void {
  effect(() => {
    const answer = nameWanted.value
    if (answer) untracked(() => void askName().then(answer))
  })
}

async function askName(): Promise<boolean> {
  let isThere = false
  const load = async () => {
    const { NameDialog } = await import('./name-dialog.tsx')
    return ({ onClose }: { onClose: () => void }) => {
      const onDone = (is: boolean) => {
        isThere = is
        onClose()
      }
      return h(NameDialog, { onDone })
    }
  }
  await openOver(load, {})
  return isThere
}
