import { effect } from '@preact/signals'
import { h } from 'preact'
import { nameWanted } from '../marks/guest-name.ts'
import { tell } from '../parts/notices.tsx'
import { showInPlace } from '../parts/show-in-place.ts'
import { say } from '../state/page.ts'

/** Opens the dialog for the name whenever a mark waits for one. */
export function watchNameWanted(): void {
  effect(() => {
    const answer = nameWanted.value
    if (answer) void ask(answer)
  })
}

async function ask(answer: (isThere: boolean) => void): Promise<void> {
  try {
    const { NameDialog } = await import('./name-dialog.tsx')
    showInPlace((close) =>
      h(NameDialog, {
        onDone: (isThere) => {
          close()
          answer(isThere)
        },
      }),
    )
  } catch {
    answer(false)
    tell(say('notLoaded'), { isAlarm: true })
  }
}
