import { Link } from '@tanstack/react-router'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { IconButton } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../../components/menu.tsx'
import { getEventState } from '../event-state.ts'
import { previewPath } from '../preview-path.ts'
import { useEventAction } from './event-actions.tsx'
import type { EventSummary } from './event-mutations.ts'

const t = translator('events')

type Props = {
  event: EventSummary
  /** Adds links to the pages of the event. */
  isInList?: boolean
}

export function EventMenu({ event, isInList = false }: Props) {
  const hasPermission = useHasPermission()
  const runAction = useEventAction()
  const state = getEventState(event)
  const isNotArchived = state !== 'archived'
  const canEdit = hasPermission('events.edit') && isNotArchived
  const hasMoreActions =
    canEdit || hasPermission('events.create') || hasPermission('events.archive') || hasPermission('events.delete')
  const eventId = String(event.id)
  return (
    <Menu trigger={<IconButton icon="more" label={t('moreOf', { name: event.event_name })} />}>
      {isInList && (
        <>
          <MenuLink>
            <Link to="/events/$eventId/share" params={{ eventId }}>
              <Icon name="share" />
              {t('share')}
            </Link>
          </MenuLink>
          <MenuLink>
            <Link to="/events/$eventId/edit" params={{ eventId }}>
              <Icon name="settings" />
              {t('edit')}
            </Link>
          </MenuLink>
        </>
      )}
      <MenuLink>
        <a href={previewPath(event)} target="_blank" rel="noopener">
          <Icon name="eye" />
          {t('preview')}
        </a>
      </MenuLink>
      {state === 'live' && (
        <MenuItem icon="link" onSelect={() => runAction('copyLink', event)}>
          {t('copyLink')}
        </MenuItem>
      )}
      {state === 'live' && canEdit && event.customer_email && (
        <MenuItem icon="mail" onSelect={() => runAction('resend', event)}>
          {t('resendMail')}
        </MenuItem>
      )}
      {hasMoreActions && <MenuSeparator />}
      {state === 'draft' && canEdit && (
        <MenuItem icon="send" onSelect={() => runAction('publish', event)}>
          {t('publish')}
        </MenuItem>
      )}
      {canEdit && (
        <MenuItem icon="clock" onSelect={() => runAction('moreTime', event)}>
          {t('moreTime')}
        </MenuItem>
      )}
      {hasPermission('events.create') && (
        <MenuItem icon="copy" onSelect={() => runAction('duplicate', event)}>
          {t('duplicate')}
        </MenuItem>
      )}
      {(state === 'live' || state === 'expired') && hasPermission('events.archive') && (
        <MenuItem icon="archive" onSelect={() => runAction('archive', event)}>
          {t('archive')}
        </MenuItem>
      )}
      {state === 'archived' && hasPermission('events.archive') && (
        <MenuItem icon="restore" onSelect={() => runAction('restore', event)}>
          {t('restore')}
        </MenuItem>
      )}
      {hasPermission('events.delete') && (
        <MenuItem icon="trash" isDangerous onSelect={() => runAction('delete', event)}>
          {t('delete')}
        </MenuItem>
      )}
    </Menu>
  )
}
