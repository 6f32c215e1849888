import { createContext, type ReactNode, use, useState } from 'react'
import { translator } from '../desk/language.ts'
import { copy } from '../parts/copy-button.tsx'
import { errorMessage } from '../parts/error-messages.ts'
import { showNotice } from '../parts/notices.tsx'
import { DuplicateDialog } from './duplicate-dialog.tsx'
import { archive, deleteForGood, type EventSummary, restore } from './event-mutations.ts'
import { forgetEvent } from './event-query.ts'
import { MoreTimeDialog } from './more-time-dialog.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { ResendDialog } from './resend-dialog.tsx'

const t = translator('events')

const dialogs = {
  publish: PublishDialog,
  duplicate: DuplicateDialog,
  moreTime: MoreTimeDialog,
  resend: ResendDialog,
}

export type Action = keyof typeof dialogs | 'copyLink' | 'archive' | 'restore' | 'delete'
type DoAction = (action: Action, event: EventSummary) => void

const Actions = createContext<DoAction | null>(null)

/** Provides `useAction` to the pages of an event and to lists, and renders the dialogs of the actions. */
export function EventActions({ onDeleted, children }: { onDeleted?: () => Promise<void> | void; children: ReactNode }) {
  const [open, setOpen] = useState<{ action: keyof typeof dialogs; event: EventSummary } | null>(null)
  const doAction: DoAction = (action, event) => {
    if (action in dialogs) return setOpen({ action: action as keyof typeof dialogs, event })
    doAtOnce(action, event)
      .then((isGone) => (isGone ? leave(event) : undefined))
      .catch((error) => showNotice(errorMessage(error), { isAlarm: true }))
  }
  const leave = async ({ id }: EventSummary) => {
    await onDeleted?.()
    forgetEvent(id)
  }
  const Open = open && dialogs[open.action]
  return (
    <Actions value={doAction}>
      {children}
      {Open && <Open key={open.event.id} event={open.event} onClose={() => setOpen(null)} />}
    </Actions>
  )
}

/** Resolves to true if the event is deleted. */
async function doAtOnce(action: Action, event: EventSummary): Promise<boolean> {
  if (action === 'copyLink') await copyLink(event)
  if (action === 'archive') await archive(event)
  if (action === 'restore') await restore(event)
  return action === 'delete' && (await deleteForGood(event))
}

async function copyLink({ share_url }: EventSummary): Promise<void> {
  const isCopied = await copy(share_url)
  showNotice(isCopied ? t('linkCopied') : t('linkNotCopied', { link: share_url }), { isAlarm: !isCopied })
}

export function useAction(): DoAction {
  const doAction = use(Actions)
  if (!doAction) throw new Error('Nothing can be done here')
  return doAction
}
