import { Link } from '@tanstack/react-router'
import { sayIn } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { IconButton } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu, MenuItem, MenuLine, MenuLink } from '../parts/menu.tsx'
import { useAction } from './event-actions.tsx'
import type { EventSummary } from './event-mutations.ts'
import { stateOf } from './event-state.ts'
import { previewPath } from './preview-path.ts'

const say = sayIn('events')

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
    <Menu opener={<IconButton icon="more" label={say('moreOf', { name: event.event_name })} />}>
      {isInList && (
        <>
          <MenuLink>
            <Link to="/events/$eventId/share" params={{ eventId }}>
              <Icon name="share" />
              {say('share')}
            </Link>
          </MenuLink>
          <MenuLink>
            <Link to="/events/$eventId/edit" params={{ eventId }}>
              <Icon name="settings" />
              {say('edit')}
            </Link>
          </MenuLink>
        </>
      )}
      <MenuLink>
        <a href={previewPath(event)} target="_blank" rel="noopener">
          <Icon name="eye" />
          {say('preview')}
        </a>
      </MenuLink>
      {state === 'live' && (
        <MenuItem icon="link" onSelect={() => doAction('copyLink', event)}>
          {say('copyLink')}
        </MenuItem>
      )}
      {state === 'live' && mayEdit && event.customer_email && (
        <MenuItem icon="mail" onSelect={() => doAction('resend', event)}>
          {say('resendMail')}
        </MenuItem>
      )}
      {mayDoMore && <MenuLine />}
      {state === 'draft' && mayEdit && (
        <MenuItem icon="send" onSelect={() => doAction('publish', event)}>
          {say('publish')}
        </MenuItem>
      )}
      {mayEdit && (
        <MenuItem icon="clock" onSelect={() => doAction('moreTime', event)}>
          {say('moreTime')}
        </MenuItem>
      )}
      {may('events.create') && (
        <MenuItem icon="copy" onSelect={() => doAction('duplicate', event)}>
          {say('duplicate')}
        </MenuItem>
      )}
      {(state === 'live' || state === 'expired') && may('events.archive') && (
        <MenuItem icon="archive" onSelect={() => doAction('archive', event)}>
          {say('archive')}
        </MenuItem>
      )}
      {state === 'archived' && may('events.archive') && (
        <MenuItem icon="restore" onSelect={() => doAction('restore', event)}>
          {say('restore')}
        </MenuItem>
      )}
      {may('events.delete') && (
        <MenuItem icon="trash" isDangerous onSelect={() => doAction('delete', event)}>
          {say('delete')}
        </MenuItem>
      )}
    </Menu>
  )
}
