import '../parts/menu.css'
import * as Radix from '@radix-ui/react-dropdown-menu'
import { translator } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { MenuItem, MenuLine } from '../parts/menu.tsx'
import { setVisibility } from './change-photos.ts'
import { saveOriginal, useCover } from './photo-actions.ts'
import type { Photo } from './photo-queries.ts'

const t = translator('photos')

type Props = {
  eventId: number
  photo: Photo
  isArchived: boolean
  isCover: boolean
  opener: HTMLElement
  onClose: () => void
  /** Missing if the photo is already open. */
  onOpen?: () => void
  onDetails?: () => void
  onPlace: () => void
  onReplace: () => void
  onDelete: () => void
}

/** One menu instance serves the whole grid; it is positioned at its opener. */
export function PhotoMenu({ eventId, photo, isArchived, isCover, opener, onClose, ...actions }: Props) {
  const may = useMay()
  const makeCover = useCover(eventId)
  const { left, top, width, height } = opener.getBoundingClientRect()
  const isHidden = photo.visibility === 'hidden'
  const mayEdit = may('photos.edit') && !isArchived
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
            if (document.activeElement === document.body) backTo(opener)?.focus({ preventScroll: true })
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
              <MenuLine />
            </>
          )}
          {mayEdit && (
            <>
              <MenuItem
                icon={isHidden ? 'eye' : 'hidden'}
                onSelect={() => setVisibility(eventId, [photo.id], isHidden ? 'visible' : 'hidden')}
              >
                {t(isHidden ? 'show' : 'hide')}
              </MenuItem>
              <MenuItem icon="folder" onSelect={actions.onPlace}>
                {t('categoryOf')}
              </MenuItem>
            </>
          )}
          {may('events.edit') && !isArchived && (
            <MenuItem icon="photos" isDisabled={isCover || isHidden} onSelect={() => makeCover.mutate(photo)}>
              {t(isCover ? 'isCover' : 'makeCover')}
            </MenuItem>
          )}
          {may('photos.upload') && !isArchived && (
            <MenuItem icon="upload" onSelect={actions.onReplace}>
              {t('replace')}
            </MenuItem>
          )}
          {may('photos.download') && !isArchived && (
            <MenuItem icon="download" onSelect={() => saveOriginal(eventId, photo)}>
              {t('downloadOriginal')}
            </MenuItem>
          )}
          {may('photos.delete') && !isArchived && (
            <>
              <MenuLine />
              <MenuItem icon="trash" isDangerous onSelect={actions.onDelete}>
                {t('delete')}
              </MenuItem>
            </>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Buttons in a tile are not in the tab order, so the focus returns to the tile. */
const backTo = (opener: HTMLElement): HTMLElement | null => opener.closest<HTMLElement>('[role=gridcell]') ?? opener
