import { createContext, lazy, type ReactNode, Suspense, use, useState } from 'react'
import { showError } from '../../components/notices.tsx'
import { removeCachedEvent } from '../event-queries.ts'
import { ResendDialog } from '../mail/resend-dialog.tsx'
import { DuplicateDialog } from './duplicate-dialog.tsx'
import { archiveEvent, confirmRestore, copyLink, type EventSummary, trashEvent } from './event-mutations.ts'
import { ExpiryDialog } from './expiry-dialog.tsx'
import { PublishDialog } from './publish-dialog.tsx'

const dialogs = {
  package: lazy(async () => ({ default: (await import('../package/package-dialog.tsx')).PackageDialog })),
  publish: PublishDialog,
  duplicate: DuplicateDialog,
  moreTime: ExpiryDialog,
  resend: ResendDialog,
}

/** Each resolves to true if the event is in the trash. */
const mutations = { copyLink, archive: archiveEvent, restore: confirmRestore, trash: trashEvent }

export type EventAction = keyof typeof dialogs | keyof typeof mutations
type RunEventAction = (action: EventAction, event: EventSummary) => void

const hasDialog = (action: EventAction): action is keyof typeof dialogs => action in dialogs

const EventActionContext = createContext<RunEventAction | null>(null)

/** Provides `useEventAction` to the pages of an event and to lists, and renders the dialogs of the actions. */
export function EventActions({ onDeleted, children }: { onDeleted?: () => Promise<void> | void; children: ReactNode }) {
  const [open, setOpen] = useState<{ action: keyof typeof dialogs; event: EventSummary } | null>(null)
  const mutate = async (action: keyof typeof mutations, event: EventSummary) => {
    const isTrashed = await mutations[action](event)
    if (!isTrashed) return
    await onDeleted?.()
    removeCachedEvent(event.id)
  }
  const runAction: RunEventAction = (action, event) => {
    if (hasDialog(action)) setOpen({ action, event })
    else mutate(action, event).catch(showError)
  }
  const Open = open && dialogs[open.action]
  return (
    <EventActionContext value={runAction}>
      {children}
      {Open && (
        <Suspense>
          <Open key={open.event.id} event={open.event} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </EventActionContext>
  )
}

export function useEventAction(): RunEventAction {
  const runAction = use(EventActionContext)
  if (!runAction) throw new Error('Nothing can be done here')
  return runAction
}
