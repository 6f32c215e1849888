import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { translator } from '../app/language.ts'
import { useHasPermission } from '../app/me.ts'
import { Button, IconButton } from '../components/button.tsx'
import { Menu, MenuItem } from '../components/menu.tsx'
import type { GuestNames } from '../feedback/guest-names.ts'
import type { PicksChoice } from '../feedback/picks-choice.ts'
import type { PickingGuest } from '../feedback/picks-query.ts'
import { Initials } from './initials.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { PersonalLinkDialog } from './personal-link-dialog.tsx'

const t = translator('feedback')

/** What the tables of guests need, with and without a package. */
export type GuestsProps = {
  guests: readonly PickingGuest[]
  names: GuestNames
  choice: PicksChoice
  onChoose: (choice: PicksChoice) => void
  onErase: (guest: PickingGuest) => void
}

type ChoiceProps = Pick<GuestsProps, 'names' | 'choice' | 'onChoose'> & { guest: PickingGuest }

/** Toggles whether only the picks of this guest are shown. */
export function GuestChoice({ guest: { id, email }, names, choice, onChoose }: ChoiceProps) {
  const { guestIds } = choice
  const isChosen = guestIds.includes(id)
  const toggle = () =>
    onChoose({ ...choice, guestIds: isChosen ? guestIds.filter((one) => one !== id) : [...guestIds, id] })
  return (
    <button type="button" className="guest-choice" aria-pressed={isChosen} onClick={toggle}>
      <Initials names={names} guestId={id} isChosen={isChosen} />
      <span className="guest-words">
        <bdi>{names.of(id)}</bdi>
        {email && <MailAddress address={email} />}
      </span>
    </button>
  )
}

/** A long address may break before the @. */
function MailAddress({ address }: { address: string }) {
  const at = address.lastIndexOf('@')
  return (
    <bdi className="guest-mail">
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </bdi>
  )
}

const maxCollapsedRows = 8

/** Returns the first guests and the chosen ones, and a button that shows all; null if all are shown. */
export function useCollapsedGuests(guests: readonly PickingGuest[], { guestIds }: PicksChoice) {
  const [isExpanded, setExpanded] = useState(false)
  const shown = isExpanded
    ? guests
    : guests.filter(({ id }, index) => index < maxCollapsedRows || guestIds.includes(id))
  const showAll = shown.length < guests.length && (
    <Button kind="quiet" icon="down" onClick={() => setExpanded(true)}>
      {t('allGuests', { count: guests.length })}
    </Button>
  )
  return { shown, showAll }
}

type Dialog = { kind: 'link' | 'merge'; guest: PickingGuest }

/** Returns a function that renders the menu of a guest, and the dialogs that the menus open. */
export function useGuestMenu({ guests, names, onErase }: Omit<GuestsProps, 'choice' | 'onChoose'>) {
  const canEdit = useHasPermission()('events.edit')
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const close = () => setDialog(null)
  /** `items` are the first ones. */
  const renderMenu = (guest: PickingGuest, items?: ReactNode) =>
    (canEdit || items) && (
      <Menu trigger={<IconButton icon="more" label={t('moreOf', { guest: names.of(guest.id) })} />}>
        {items}
        {canEdit && (
          <>
            <MenuItem icon="link" onSelect={() => setDialog({ kind: 'link', guest })}>
              {t('personalLink')}
            </MenuItem>
            {guests.length > 1 && (
              <MenuItem icon="people" onSelect={() => setDialog({ kind: 'merge', guest })}>
                {t('merge')}
              </MenuItem>
            )}
            <MenuItem icon="trash" onSelect={() => onErase(guest)}>
              {t('erase')}
            </MenuItem>
          </>
        )}
      </Menu>
    )
  const dialogs = (
    <>
      {dialog?.kind === 'link' && <PersonalLinkDialog guest={dialog.guest} names={names} onClose={close} />}
      {dialog?.kind === 'merge' && <MergeDialog from={dialog.guest} guests={guests} names={names} onClose={close} />}
    </>
  )
  return { canEdit, renderMenu, dialogs }
}

/** Must match the width below which web/admin/components/table.css omits columns. */
const narrow = matchMedia('(max-width: 48rem)')

function subscribe(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange)
  return () => narrow.removeEventListener('change', onChange)
}

/** Returns whether tables omit their `isWideOnly` columns. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
