import { Link, Outlet } from '@tanstack/react-router'
import { translator } from '../desk/language.ts'
import { Page } from '../parts/page.tsx'
import { Tabs } from '../parts/tabs.tsx'

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
