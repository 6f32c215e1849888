import type { Dispatch, SetStateAction } from 'react'
import type { Event } from '../events/event-here.tsx'
import { CategoriesDialog } from './categories-dialog.tsx'
import { DownloadDialog } from './download-dialog.tsx'
import { KeysDialog } from './keys-dialog.tsx'
import { PhotoMenu } from './photo-menu.tsx'
import type { Photo } from './photo-queries.ts'
import { PlaceDialog } from './place-dialog.tsx'
import { RepairDialog } from './repair-dialog.tsx'
import { ReplaceDialog } from './replace-dialog.tsx'

export type Asked =
  | { kind: 'menu'; photo: Photo; index: number | null; opener: HTMLElement }
  | { kind: 'place'; ids: number[] }
  | { kind: 'replace'; photo: Photo }
  | { kind: 'download'; ids: number[] }
  | { kind: 'categories' }
  | { kind: 'repair' }
  | { kind: 'keys' }

type Props = {
  event: Event
  asked: Asked
  isViewed: boolean
  onAsk: Dispatch<SetStateAction<Asked | null>>
  onOpen: (index: number, hasDetails?: boolean) => void
  onDelete: (ids: number[]) => void
}

export function PhotoDialogs({ event, asked, isViewed, onAsk, onOpen, onDelete }: Props) {
  // A menu closes after its action, which may already have opened another dialog.
  const close = () => onAsk((now) => (now === asked ? null : now))
  switch (asked.kind) {
    case 'menu': {
      const { photo, index, opener } = asked
      return (
        <PhotoMenu
          eventId={event.id}
          photo={photo}
          isArchived={event.is_archived}
          isCover={event.cover_photo_id === photo.id}
          opener={opener}
          onClose={close}
          {...(!isViewed && index !== null && { onOpen: () => onOpen(index), onDetails: () => onOpen(index, true) })}
          onPlace={() => onAsk({ kind: 'place', ids: [photo.id] })}
          onReplace={() => onAsk({ kind: 'replace', photo })}
          onDelete={() => onDelete([photo.id])}
        />
      )
    }
    case 'place':
      return (
        <PlaceDialog
          eventId={event.id}
          ids={asked.ids}
          onClose={close}
          onManage={() => onAsk({ kind: 'categories' })}
        />
      )
    case 'replace':
      return <ReplaceDialog eventId={event.id} photo={asked.photo} onClose={close} />
    case 'download':
      return <DownloadDialog eventId={event.id} ids={asked.ids} onClose={close} />
    case 'categories':
      return <CategoriesDialog eventId={event.id} onClose={close} />
    case 'repair':
      return <RepairDialog onClose={close} />
    case 'keys':
      return <KeysDialog onClose={close} />
  }
}
