import { createContext, type ReactNode, use, useState } from 'react'
import { sayIn } from '../desk/language.ts'
import { copy } from '../parts/copy-button.tsx'
import { wordsOf } from '../parts/error-messages.ts'
import { tell } from '../parts/notices.tsx'
import { archive, deleteForGood, type EventSummary, restore } from './do-deeds.ts'
import { DuplicateDialog } from './duplicate-dialog.tsx'
import { forgetEvent } from './event-query.ts'
import { MoreTimeDialog } from './more-time-dialog.tsx'
import { PublishDialog } from './publish-dialog.tsx'
import { ResendDialog } from './resend-dialog.tsx'

const say = sayIn('events')

const dialogs = {
  publish: PublishDialog,
  duplicate: DuplicateDialog,
  moreTime: MoreTimeDialog,
  resend: ResendDialog,
}

export type Deed = keyof typeof dialogs | 'copyLink' | 'archive' | 'restore' | 'delete'
type DoDeed = (deed: Deed, event: EventSummary) => void

const Deeds = createContext<DoDeed | null>(null)

/** What can be done to an event, from its own pages and from lists alike; dialogs open here. */
export function EventDeeds({ onDeleted, children }: { onDeleted?: () => Promise<void> | void; children: ReactNode }) {
  const [open, setOpen] = useState<{ deed: keyof typeof dialogs; event: EventSummary } | null>(null)
  const doDeed: DoDeed = (deed, event) => {
    if (deed in dialogs) return setOpen({ deed: deed as keyof typeof dialogs, event })
    doAtOnce(deed, event)
      .then((isGone) => (isGone ? leave(event) : undefined))
      .catch((error) => tell(wordsOf(error), { isAlarm: true }))
  }
  const leave = async ({ id }: EventSummary) => {
    await onDeleted?.()
    forgetEvent(id)
  }
  const Open = open && dialogs[open.deed]
  return (
    <Deeds value={doDeed}>
      {children}
      {Open && <Open key={open.event.id} event={open.event} onClose={() => setOpen(null)} />}
    </Deeds>
  )
}

/** Resolves to whether the event is gone by now. */
async function doAtOnce(deed: Deed, event: EventSummary): Promise<boolean> {
  if (deed === 'copyLink') await copyLink(event)
  if (deed === 'archive') await archive(event)
  if (deed === 'restore') await restore(event)
  return deed === 'delete' && (await deleteForGood(event))
}

async function copyLink({ share_url }: EventSummary): Promise<void> {
  const isCopied = await copy(share_url)
  tell(isCopied ? say('linkCopied') : say('linkNotCopied', { link: share_url }), { isAlarm: !isCopied })
}

export function useDeed(): DoDeed {
  const doDeed = use(Deeds)
  if (!doDeed) throw new Error('Nothing can be done here')
  return doDeed
}
