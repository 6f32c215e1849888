import type { LinkProps } from '@tanstack/react-router'
import type { IconName } from '../components/icon.tsx'
import { translator } from './language.ts'
import { useHasPermission, useMe } from './me.ts'

const t = translator('desk')

type NavigationItem = { to: NonNullable<LinkProps['to']>; label: string; icon: IconName; isExact: boolean }

/** Returns only the pages that the account may open. */
export function useNavigation(): NavigationItem[] {
  const hasPermission = useHasPermission()
  const { role } = useMe()
  const isSuperAdmin = role === 'super_admin'
  const items: Array<Omit<NavigationItem, 'isExact'> & { isAllowed?: boolean; isExact?: boolean }> = [
    { to: '/', label: t('dashboard'), icon: 'home', isExact: true },
    { to: '/events', label: t('events'), icon: 'events' },
    { to: '/customers', label: t('customers'), icon: 'person', isAllowed: hasPermission('events.edit') },
    { to: '/people', label: t('people'), icon: 'people', isAllowed: isSuperAdmin },
    { to: '/webhooks', label: t('webhooks'), icon: 'webhook', isAllowed: hasPermission('settings.view') },
    { to: '/settings', label: t('settings'), icon: 'settings', isAllowed: hasPermission('settings.view') },
    { to: '/mail', label: t('mail'), icon: 'mail', isAllowed: hasPermission('settings.view') },
    { to: '/activity', label: t('activity'), icon: 'activity', isAllowed: hasPermission('settings.view') },
    { to: '/health', label: t('health'), icon: 'health', isAllowed: hasPermission('settings.view') },
  ]
  return items
    .filter(({ isAllowed = true }) => isAllowed)
    .map(({ to, label, icon, isExact = false }) => ({ to, label, icon, isExact }))
}
