import type { LinkProps } from '@tanstack/react-router'
import type { IconName } from '../parts/icon.tsx'
import { translator } from './language.ts'
import { useMay, useMe } from './me.ts'

const t = translator('desk')

type Place = { to: NonNullable<LinkProps['to']>; label: string; icon: IconName; isExact: boolean }

/** Returns only the pages that the account may open. */
export function useNavigation(): Place[] {
  const may = useMay()
  const { role } = useMe()
  const isSuperAdmin = role === 'super_admin'
  const places: Array<Omit<Place, 'isExact'> & { isOpen?: boolean; isExact?: boolean }> = [
    { to: '/', label: t('dashboard'), icon: 'home', isExact: true },
    { to: '/events', label: t('events'), icon: 'events' },
    { to: '/customers', label: t('customers'), icon: 'person', isOpen: may('events.edit') },
    { to: '/people', label: t('people'), icon: 'people', isOpen: isSuperAdmin },
    { to: '/webhooks', label: t('webhooks'), icon: 'webhook', isOpen: may('settings.view') },
    { to: '/settings', label: t('settings'), icon: 'settings', isOpen: may('settings.view') },
    { to: '/mail', label: t('mail'), icon: 'mail', isOpen: may('settings.view') },
    { to: '/activity', label: t('activity'), icon: 'activity', isOpen: may('settings.view') },
    { to: '/health', label: t('health'), icon: 'health', isOpen: may('settings.view') },
  ]
  return places
    .filter(({ isOpen = true }) => isOpen)
    .map(({ to, label, icon, isExact = false }) => ({ to, label, icon, isExact }))
}
