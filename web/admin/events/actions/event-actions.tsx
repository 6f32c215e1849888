import { createContext, type ReactNode, use, useState } from 'react'
import { translator } from '../../app/language.ts'
import { copyText } from '../../components/copy-button.tsx'
import { errorMessage } from '../../components/error-messages.ts'
import { showNotice } from '../../components/notices.tsx'
import { removeCachedEvent } from '../event-queries.ts'
import { DuplicateDialog } from './duplicate-dialog.tsx'
import { archiveEvent, deleteEvent, type EventSummary, restoreEvent } from './event-mutations.ts'
import { ExpiryDialog } from './expiry-dialog.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { ResendDialog } from './resend-dialog.tsx'

const t = translator('events')

const dialogs = {
  publish: PublishDialog,
  duplicate: DuplicateDialog,
  moreTime: ExpiryDialog,
  resend: ResendDialog,
}

export type EventAction = keyof typeof dialogs | 'copyLink' | 'archive' | 'restore' | 'delete'
type RunEventAction = (action: EventAction, event: EventSummary) => void

const EventActionContext = createContext<RunEventAction | null>(null)

/** Provides `useAction` to the pages of an event and to lists, and renders the dialogs of the actions. */
export function EventActions({ onDeleted, children }: { onDeleted?: () => Promise<void> | void; children: ReactNode }) {
  const [open, setOpen] = useState<{ action: keyof typeof dialogs; event: EventSummary } | null>(null)
  const runAction: RunEventAction = (action, event) => {
    if (action in dialogs) return setOpen({ action: action as keyof typeof dialogs, event })
    runWithoutDialog(action, event)
      .then((isDeleted) => (isDeleted ? handleDeleted(event) : undefined))
      .catch((error) => showNotice(errorMessage(error), { isAlarm: true }))
  }
  const handleDeleted = async ({ id }: EventSummary) => {
    await onDeleted?.()
    removeCachedEvent(id)
  }
  const Open = open && dialogs[open.action]
  return (
    <EventActionContext value={runAction}>
      {children}
      {Open && <Open key={open.event.id} event={open.event} onClose={() => setOpen(null)} />}
    </EventActionContext>
  )
}

/** Resolves to true if the event is deleted. */
async function runWithoutDialog(action: EventAction, event: EventSummary): Promise<boolean> {
  if (action === 'copyLink') await copyLink(event)
  if (action === 'archive') await archiveEvent(event)
  if (action === 'restore') await restoreEvent(event)
  return action === 'delete' && (await deleteEvent(event))
}

async function copyLink({ share_url }: EventSummary): Promise<void> {
  const isCopied = await copyText(share_url)
  showNotice(isCopied ? t('linkCopied') : t('linkNotCopied', { link: share_url }), { isAlarm: !isCopied })
}

export function useEventAction(): RunEventAction {
  const runAction = use(EventActionContext)
  if (!runAction) throw new Error('Nothing can be done here')
  return runAction
}
