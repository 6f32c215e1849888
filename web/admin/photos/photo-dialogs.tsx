import type { Dispatch, SetStateAction } from 'react'
import type { Event } from '../events/event-context.tsx'
import { CategoriesDialog } from './actions/categories-dialog.tsx'
import { DownloadDialog } from './actions/download-dialog.tsx'
import { PhotoCategoryDialog } from './actions/photo-category-dialog.tsx'
import { PhotoMenu } from './actions/photo-menu.tsx'
import { RepairDialog } from './actions/repair-dialog.tsx'
import { ReplaceDialog } from './actions/replace-dialog.tsx'
import type { Photo } from './model/photo-queries.ts'
import { ShortcutsDialog } from './shortcuts-dialog.tsx'

export type OpenDialog =
  | { kind: 'menu'; photo: Photo; index: number | null; trigger: HTMLElement }
  | { kind: 'place'; ids: number[] }
  | { kind: 'replace'; photo: Photo }
  | { kind: 'download'; ids: number[] }
  | { kind: 'categories' }
  | { kind: 'repair' }
  | { kind: 'keys' }

type Props = {
  event: Event
  openDialog: OpenDialog
  isViewerOpen: boolean
  onOpenDialog: Dispatch<SetStateAction<OpenDialog | null>>
  onOpen: (index: number, hasDetails?: boolean) => void
  onVisibility: (photo: Photo, visibility: Photo['visibility']) => void
  onDelete: (ids: number[]) => void
  /** Null if the photos are not ordered by hand. */
  onMove: ((from: number, isToStart: boolean) => void) | null
}

export function PhotoDialogs({ event, openDialog, isViewerOpen, onOpenDialog, onOpen, ...actions }: Props) {
  const { onVisibility, onDelete, onMove } = actions
  // A menu closes after its action, which may already have opened another dialog.
  const close = () => onOpenDialog((now) => (now === openDialog ? null : now))
  switch (openDialog.kind) {
    case 'menu': {
      const { photo, index, trigger } = openDialog
      return (
        <PhotoMenu
          eventId={event.id}
          photo={photo}
          isArchived={event.is_archived}
          isCover={event.cover_photo_id === photo.id}
          trigger={trigger}
          onClose={close}
          {...(!isViewerOpen &&
            index !== null && { onOpen: () => onOpen(index), onDetails: () => onOpen(index, true) })}
          {...(onMove && index !== null && { onMove: (isToStart) => onMove(index, isToStart) })}
          onVisibility={(visibility) => onVisibility(photo, visibility)}
          onCategorize={() => onOpenDialog({ kind: 'place', ids: [photo.id] })}
          onReplace={() => onOpenDialog({ kind: 'replace', photo })}
          onDelete={() => onDelete([photo.id])}
        />
      )
    }
    case 'place':
      return (
        <PhotoCategoryDialog
          eventId={event.id}
          ids={openDialog.ids}
          onClose={close}
          onManage={() => onOpenDialog({ kind: 'categories' })}
        />
      )
    case 'replace':
      return <ReplaceDialog eventId={event.id} photo={openDialog.photo} onClose={close} />
    case 'download':
      return <DownloadDialog eventId={event.id} ids={openDialog.ids} onClose={close} />
    case 'categories':
      return <CategoriesDialog eventId={event.id} onClose={close} />
    case 'repair':
      return <RepairDialog onClose={close} />
    case 'keys':
      return <ShortcutsDialog onClose={close} />
  }
}
