import '../../components/menu.css'
import * as Radix from '@radix-ui/react-dropdown-menu'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { MenuItem, MenuSeparator } from '../../components/menu.tsx'
import { useEvent } from '../../events/event-context.tsx'
import type { Photo } from '../model/photo-queries.ts'
import { setCover } from './change-photos.ts'
import { downloadOriginal } from './download-photos.ts'

const t = translator('photos')

type Props = {
  eventId: number
  photo: Photo
  isArchived: boolean
  isCover: boolean
  trigger: HTMLElement
  onClose: () => void
  /** Missing if the photo is already open. */
  onOpen?: () => void
  onDetails?: () => void
  /** Missing if the photos are not ordered by hand. */
  onMove?: (isToStart: boolean) => void
  onVisibility: (visibility: Photo['visibility']) => void
  onCategorize: () => void
  onReplace: () => void
  onDelete: () => void
}

/** The page has one menu for all photos. It opens beside `trigger`, the element that opened it. */
export function PhotoMenu({ eventId, photo, isArchived, isCover, trigger, onClose, ...actions }: Props) {
  const hasPermission = useHasPermission()
  const { keep_versions } = useEvent()
  const { left, top, width, height } = trigger.getBoundingClientRect()
  const isHidden = photo.visibility === 'hidden'
  const can = (permission: Parameters<typeof hasPermission>[0]) => hasPermission(permission) && !isArchived
  return (
    <Radix.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Radix.Trigger asChild>
        <span className="menu-place" aria-hidden="true" tabIndex={-1} style={{ left, top, width, height }} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className="menu"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-labelledby={undefined}
          aria-label={t('menuOf', { name: photo.source_filename })}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // The chosen action may have moved the focus.
            if (document.activeElement === document.body) findFocusTarget(trigger)?.focus({ preventScroll: true })
          }}
        >
          {actions.onOpen && (
            <MenuItem icon="expand" onSelect={actions.onOpen}>
              {t('open')}
            </MenuItem>
          )}
          {actions.onDetails && (
            <>
              <MenuItem icon="info" onSelect={actions.onDetails}>
                {t('details')}
              </MenuItem>
              <MenuSeparator />
            </>
          )}
          {can('photos.edit') && (
            <>
              <MenuItem
                icon={isHidden ? 'eye' : 'hidden'}
                onSelect={() => actions.onVisibility(isHidden ? 'visible' : 'hidden')}
              >
                {t(isHidden ? 'show' : 'hide')}
              </MenuItem>
              {photo.awaits_review && (
                <MenuItem icon="hidden" onSelect={() => actions.onVisibility('hidden')}>
                  {t('keepHidden')}
                </MenuItem>
              )}
              <MenuItem icon="folder" onSelect={actions.onCategorize}>
                {t('categoryOf')}
              </MenuItem>
            </>
          )}
          {actions.onMove && (
            <>
              <MenuItem icon="up" onSelect={() => actions.onMove?.(true)}>
                {t('moveToStart')}
              </MenuItem>
              <MenuItem icon="down" onSelect={() => actions.onMove?.(false)}>
                {t('moveToEnd')}
              </MenuItem>
            </>
          )}
          {can('events.edit') && (
            <MenuItem icon="photos" isDisabled={isCover || isHidden} onSelect={() => setCover(eventId, photo)}>
              {t(isCover ? 'isCover' : 'makeCover')}
            </MenuItem>
          )}
          {can('photos.upload') && (
            <MenuItem icon="upload" onSelect={actions.onReplace}>
              {t(keep_versions ? 'addVersion' : 'replace')}
            </MenuItem>
          )}
          {can('photos.download') && (
            <MenuItem icon="download" onSelect={() => downloadOriginal(eventId, photo)}>
              {t('downloadOriginal')}
            </MenuItem>
          )}
          {can('photos.delete') && (
            <>
              <MenuSeparator />
              <MenuItem icon="trash" isDangerous onSelect={actions.onDelete}>
                {t('trash')}
              </MenuItem>
            </>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Tab does not reach buttons in a tile of the grid, so the focus returns to the tile. */
const findFocusTarget = (trigger: HTMLElement): HTMLElement | null =>
  trigger.closest<HTMLElement>('[role=gridcell]') ?? trigger
