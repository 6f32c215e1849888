import { Link } from '@tanstack/react-router'
import { translator } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { IconButton } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu, MenuItem, MenuLine, MenuLink } from '../parts/menu.tsx'
import { useAction } from './event-actions.tsx'
import type { EventSummary } from './event-mutations.ts'
import { stateOf } from './event-state.ts'
import { previewPath } from './preview-path.ts'

const t = translator('events')

type Props = {
  event: EventSummary
  /** Adds links to the pages of the event. */
  isInList?: boolean
}

export function EventMenu({ event, isInList = false }: Props) {
  const may = useMay()
  const doAction = useAction()
  const state = stateOf(event)
  const isPresent = state !== 'archived'
  const mayEdit = may('events.edit') && isPresent
  const mayDoMore = mayEdit || may('events.create') || may('events.archive') || may('events.delete')
  const eventId = String(event.id)
  return (
    <Menu opener={<IconButton icon="more" label={t('moreOf', { name: event.event_name })} />}>
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
        <MenuItem icon="link" onSelect={() => doAction('copyLink', event)}>
          {t('copyLink')}
        </MenuItem>
      )}
      {state === 'live' && mayEdit && event.customer_email && (
        <MenuItem icon="mail" onSelect={() => doAction('resend', event)}>
          {t('resendMail')}
        </MenuItem>
      )}
      {mayDoMore && <MenuLine />}
      {state === 'draft' && mayEdit && (
        <MenuItem icon="send" onSelect={() => doAction('publish', event)}>
          {t('publish')}
        </MenuItem>
      )}
      {mayEdit && (
        <MenuItem icon="clock" onSelect={() => doAction('moreTime', event)}>
          {t('moreTime')}
        </MenuItem>
      )}
      {may('events.create') && (
        <MenuItem icon="copy" onSelect={() => doAction('duplicate', event)}>
          {t('duplicate')}
        </MenuItem>
      )}
      {(state === 'live' || state === 'expired') && may('events.archive') && (
        <MenuItem icon="archive" onSelect={() => doAction('archive', event)}>
          {t('archive')}
        </MenuItem>
      )}
      {state === 'archived' && may('events.archive') && (
        <MenuItem icon="restore" onSelect={() => doAction('restore', event)}>
          {t('restore')}
        </MenuItem>
      )}
      {may('events.delete') && (
        <MenuItem icon="trash" isDangerous onSelect={() => doAction('delete', event)}>
          {t('delete')}
        </MenuItem>
      )}
    </Menu>
  )
}
