import './frame.css'
import * as Dialog from '@radix-ui/react-dialog'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from '../parts/button.tsx'
import { errorMessage } from '../parts/error-messages.ts'
import { Icon } from '../parts/icon.tsx'
import { Menu, MenuItem, MenuLine, MenuLink } from '../parts/menu.tsx'
import { showNotice } from '../parts/notices.tsx'
import { UploadStatus } from '../uploads/upload-status.tsx'
import { adminAppData } from './desk-data.ts'
import { language, languages, speak, translator } from './language.ts'
import { signOut, useMe } from './me.ts'
import { useNavigation } from './navigation.ts'

const t = translator('desk')

export const Frame = () => (
  <div className="frame">
    <a className="skip" href="#main">
      {t('skip')}
    </a>
    <header className="top">
      <SmallNavigation />
      <StudioName />
      <UploadStatus isShort />
      <AccountMenu />
    </header>
    <aside className="side">
      <StudioName />
      <Navigation />
      <div>
        <UploadStatus />
        <AccountMenu isNamed />
      </div>
    </aside>
    <Main />
  </div>
)

/** Focuses the main region after a navigation, as a page load would. */
function Main() {
  const main = useRef<HTMLElement>(null)
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current !== pathname) main.current?.focus({ preventScroll: true })
    before.current = pathname
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

const Navigation = ({ onGo }: { onGo?: () => void }) => (
  <nav aria-label={t('navigation')} className="navigation">
    {useNavigation().map(({ to, label, icon, isExact }) => (
      <Link key={to} to={to} activeOptions={{ exact: isExact }} {...(onGo && { onClick: onGo })}>
        <Icon name={icon} />
        {label}
      </Link>
    ))}
  </nav>
)

function SmallNavigation() {
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
          <Navigation onGo={() => setOpen(false)} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const languageNames = new Map([
  ['en', 'English'],
  ['de', 'Deutsch'],
])

function AccountMenu({ isNamed = false }: { isNamed?: boolean }) {
  const { username } = useMe()
  const navigate = useNavigate()
  const leave = () =>
    signOut().then(
      () => navigate({ to: '/sign-in' }),
      (error) => showNotice(errorMessage(error), { isAlarm: true }),
    )
  return (
    <Menu
      opener={
        <button
          type="button"
          className={isNamed ? 'account-opener' : 'icon-button'}
          aria-label={t('accountOf', { name: username })}
        >
          <Icon name="person" />
          {isNamed && <span dir="auto">{username}</span>}
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
      <MenuLine />
      {languages
        .filter((code) => code !== language)
        .map((code) => (
          <MenuItem key={code} icon="globe" onSelect={() => speak(code)}>
            <span lang={code}>{languageNames.get(code) ?? code}</span>
          </MenuItem>
        ))}
      <MenuItem icon="out" onSelect={leave}>
        {t('signOut')}
      </MenuItem>
    </Menu>
  )
}
