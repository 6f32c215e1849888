import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { settingsQuery } from '../app/query-client.ts'
import { Loaded } from '../components/loaded.tsx'
import { NotFound } from '../components/not-found.tsx'
import { BrandingPage } from './branding-page.tsx'
import { CategoriesPage } from './categories-page.tsx'
import { EventTypesPage } from './event-types-page.tsx'
import { LettersPage } from './letters-page.tsx'
import { MailAndAddressPage } from './mail-and-address-page.tsx'
import { PackagePresets } from './package-presets.tsx'
import { isSettingPage } from './settings-fields.ts'
import { SettingsForm } from './settings-form.tsx'

const route = getRouteApi('/inside/settings/$group')

export function SettingsPage() {
  const { group } = route.useParams()
  const query = useQuery(settingsQuery)
  if (group === 'branding') return <BrandingPage />
  if (group === 'categories') return <CategoriesPage />
  if (group === 'types') {
    return (
      <>
        <EventTypesPage />
        <PackagePresets />
      </>
    )
  }
  if (group === 'mail') return <MailAndAddressPage />
  if (group === 'letters') return <LettersPage />
  if (!isSettingPage(group)) return <NotFound />
  return <Loaded query={query}>{(settings) => <SettingsForm key={group} page={group} settings={settings} />}</Loaded>
}
