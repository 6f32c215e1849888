import { Link, Outlet } from '@tanstack/react-router'
import { translator } from '../app/language.ts'
import { useMe } from '../app/me.ts'
import { Page } from '../components/page.tsx'
import { Tabs } from '../components/tabs.tsx'

const t = translator('settings')

const groups = [
  'general',
  'branding',
  'events',
  'galleries',
  'categories',
  'types',
  'keeping',
  'letters',
  'integrations',
  'mail',
] as const

/** Only a super_admin may open the last page. */
export function SettingsFrame() {
  const { role } = useMe()
  const shown = groups.filter((group) => group !== 'mail' || role === 'super_admin')
  return (
    <Page title={t('title')}>
      <Tabs label={t('title')}>
        {shown.map((group) => (
          <Link key={group} to="/settings/$group" params={{ group }}>
            {t(`page_${group}`)}
          </Link>
        ))}
      </Tabs>
      <div className="settings-body">
        <Outlet />
      </div>
    </Page>
  )
}
