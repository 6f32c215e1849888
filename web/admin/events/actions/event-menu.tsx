import { Link } from '@tanstack/react-router'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { IconButton } from '../../components/button.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../../components/menu.tsx'
import { getEventState } from '../event-state.ts'
import { previewPath } from '../share-urls.ts'
import { type EventAction, useEventAction } from './event-actions.tsx'
import type { EventSummary } from './event-mutations.ts'

const t = translator('events')

type Props = {
  event: EventSummary
  /** Adds links to the share and settings pages of the event. */
  isInList?: boolean
}

type Item = { action: EventAction; icon: IconName; isShown: boolean }

export function EventMenu({ event, isInList = false }: Props) {
  const hasPermission = useHasPermission()
  const runAction = useEventAction()
  const state = getEventState(event)
  const canEdit = hasPermission('events.edit') && state !== 'archived'
  const canArchive = hasPermission('events.archive')
  const canCreate = hasPermission('events.create')
  const canDelete = hasPermission('events.delete')
  const renderItem = ({ action, icon, isShown }: Item) =>
    isShown && (
      <MenuItem key={action} icon={icon} isDangerous={action === 'trash'} onSelect={() => runAction(action, event)}>
        {t(action === 'resend' ? 'resendMail' : action)}
      </MenuItem>
    )
  const shareItems: Item[] = [
    { action: 'copyLink', icon: 'link', isShown: state === 'live' },
    { action: 'resend', icon: 'mail', isShown: state === 'live' && canEdit && Boolean(event.customer_email) },
  ]
  const changeItems: Item[] = [
    { action: 'publish', icon: 'send', isShown: state === 'draft' && canEdit },
    { action: 'package', icon: 'heart', isShown: !isInList && hasPermission('photos.edit') && state !== 'archived' },
    { action: 'moreTime', icon: 'clock', isShown: canEdit },
    { action: 'duplicate', icon: 'copy', isShown: canCreate },
    { action: 'archive', icon: 'archive', isShown: (state === 'live' || state === 'expired') && canArchive },
    { action: 'restore', icon: 'restore', isShown: state === 'archived' && canArchive },
    { action: 'trash', icon: 'trash', isShown: canDelete },
  ]
  return (
    <Menu trigger={<IconButton icon="more" label={t('moreOf', { name: event.event_name })} />}>
      {isInList &&
        (['share', 'edit'] as const).map((page) => (
          <MenuLink key={page}>
            <Link to={`/events/$eventId/${page}`} params={{ eventId: String(event.id) }}>
              <Icon name={page === 'share' ? 'share' : 'sliders'} />
              {t(page)}
            </Link>
          </MenuLink>
        ))}
      {state !== 'archived' && (
        <MenuLink>
          <a href={previewPath(event)} target="_blank" rel="noopener">
            <Icon name="eye" />
            {t('preview')}
          </a>
        </MenuLink>
      )}
      {shareItems.map(renderItem)}
      {(canEdit || canCreate || canArchive || canDelete) && <MenuSeparator />}
      {changeItems.map(renderItem)}
    </Menu>
  )
}
