import { Link, Outlet } from '@tanstack/react-router'
import { translator } from '../app/language.ts'
import { Page } from '../components/page.tsx'
import { Tabs } from '../components/tabs.tsx'

const t = translator('settings')

const groups = ['general', 'branding', 'events', 'galleries', 'categories', 'types', 'keeping'] as const

export const SettingsFrame = () => (
  <Page title={t('title')} isNarrow>
    <Tabs label={t('title')}>
      {groups.map((group) => (
        <Link key={group} to="/settings/$group" params={{ group }}>
          {t(`page_${group}`)}
        </Link>
      ))}
    </Tabs>
    <Outlet />
  </Page>
)
