import { Link, Outlet } from '@tanstack/react-router'
import { sayIn } from '../desk/language.ts'
import { Page } from '../parts/page.tsx'
import { Tabs } from '../parts/tabs.tsx'

const say = sayIn('settings')

const groups = ['general', 'branding', 'events', 'galleries', 'categories', 'types', 'keeping'] as const

export const SettingsFrame = () => (
  <Page title={say('title')} isNarrow>
    <Tabs label={say('title')}>
      {groups.map((group) => (
        <Link key={group} to="/settings/$group" params={{ group }}>
          {say(`page_${group}`)}
        </Link>
      ))}
    </Tabs>
    <Outlet />
  </Page>
)
