import './app-frame.css'
import * as Dialog from '@radix-ui/react-dialog'
import { Link, type LinkProps, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { languages } from '../../../contract/languages.ts'
import { nameLanguage } from '../../../locales/name-language.ts'
import { adminAppData } from '../app/admin-app-data.ts'
import { changeLanguage, language, translator } from '../app/language.ts'
import { signOut, useHasPermission, useMe } from '../app/me.ts'
import { IconButton } from '../components/button.tsx'
import { Icon, type IconName } from '../components/icon.tsx'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../components/menu.tsx'
import { showError } from '../components/notices.tsx'
import { UploadStatus } from '../uploads/upload-status.tsx'

const t = translator('app')

export const Frame = () => (
  <div className="frame">
    <a className="skip" href="#main">
      {t('skip')}
    </a>
    <header className="top">
      <DrawerNavigation />
      <StudioName />
      <UploadStatus isShort />
      <AccountMenu />
    </header>
    <aside className="side">
      <StudioName />
      <Navigation />
      <div>
        <UploadStatus />
        <AccountMenu showsName />
      </div>
    </aside>
    <Main />
  </div>
)

/** Moves the focus to the main region after a navigation to another page. */
function Main() {
  const main = useRef<HTMLElement>(null)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const previousPathname = useRef(pathname)
  useEffect(() => {
    if (previousPathname.current !== pathname) main.current?.focus({ preventScroll: true })
    previousPathname.current = pathname
  }, [pathname])
  return (
    <main id="main" ref={main} tabIndex={-1}>
      <Outlet />
    </main>
  )
}

const StudioName = () => (
  <Link to="/" className="studio" dir="auto">
    {adminAppData.studioName || 'Proofroom'}
  </Link>
)

const Navigation = ({ onNavigate }: { onNavigate?: () => void }) => (
  <nav aria-label={t('navigation')} className="navigation">
    {usePages().map(({ to, label, icon, isExact = false }) => (
      <Link key={to} to={to} activeOptions={{ exact: isExact }} {...(onNavigate && { onClick: onNavigate })}>
        <Icon name={icon} />
        {label}
      </Link>
    ))}
  </nav>
)

type Page = { to: NonNullable<LinkProps['to']>; label: string; icon: IconName; isExact?: boolean }

/** Returns only the pages that the account may open. */
function usePages(): Page[] {
  const hasPermission = useHasPermission()
  const { role } = useMe()
  const canViewSettings = hasPermission('settings.view')
  const pages: Array<Page & { isAllowed?: boolean }> = [
    { to: '/', label: t('dashboard'), icon: 'home', isExact: true },
    { to: '/events', label: t('events'), icon: 'events' },
    { to: '/customers', label: t('customers'), icon: 'person', isAllowed: hasPermission('events.edit') },
    { to: '/people', label: t('people'), icon: 'people', isAllowed: role === 'super_admin' },
    { to: '/settings', label: t('settings'), icon: 'sliders', isAllowed: canViewSettings },
    { to: '/mail', label: t('mail'), icon: 'mail', isAllowed: canViewSettings },
    { to: '/activity', label: t('activity'), icon: 'activity', isAllowed: canViewSettings },
    { to: '/health', label: t('health'), icon: 'health', isAllowed: canViewSettings },
    { to: '/webhooks', label: t('integrations'), icon: 'webhook', isAllowed: canViewSettings },
  ]
  return pages.filter(({ isAllowed = true }) => isAllowed)
}

function DrawerNavigation() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Trigger asChild>
        <IconButton icon="menu" label={t('navigation')} />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-ground" />
        <Dialog.Content className="drawer" aria-describedby={undefined}>
          <Dialog.Title className="heard">{t('navigation')}</Dialog.Title>
          <Dialog.Close asChild>
            <IconButton icon="close" label={t('close')} />
          </Dialog.Close>
          <Navigation onNavigate={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function AccountMenu({ showsName = false }: { showsName?: boolean }) {
  const { username } = useMe()
  const navigate = useNavigate()
  const handleSignOut = () => signOut().then(() => navigate({ to: '/sign-in' }), showError)
  return (
    <Menu
      trigger={
        <button
          type="button"
          className={showsName ? 'account-opener' : 'icon-button'}
          aria-label={t('accountOf', { name: username })}
        >
          <Icon name="person" />
          {showsName && <span dir="auto">{username}</span>}
        </button>
      }
    >
      <MenuLink>
        <Link to="/account">
          <Icon name="lock" />
          {t('account')}
        </Link>
      </MenuLink>
      <MenuLink>
        <Link to="/tokens">
          <Icon name="key" />
          {t('tokens')}
        </Link>
      </MenuLink>
      <MenuSeparator />
      {languages
        .filter((code) => code !== language)
        .map((code) => (
          <MenuItem key={code} icon="globe" onSelect={() => changeLanguage(code)}>
            <span lang={code}>{nameLanguage(code)}</span>
          </MenuItem>
        ))}
      <MenuItem icon="out" onSelect={handleSignOut}>
        {t('signOut')}
      </MenuItem>
    </Menu>
  )
}
