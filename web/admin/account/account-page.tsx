import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, unwrap } from '../api/api.ts'
import { translator } from '../app/language.ts'
import { reloadMe, useMe } from '../app/me.ts'
import { Loaded } from '../components/loaded.tsx'
import { showNotice } from '../components/notices.tsx'
import { Card, Page } from '../components/page.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'
import { SecondFactor } from './second-factor.tsx'

const t = translator('account')

const secondFactorQuery = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/auth/mfa', { signal })),
})

export function AccountPage() {
  const { username, email, role } = useMe()
  const factor = useQuery(secondFactorQuery)
  const queries = useQueryClient()
  const onPasswordChanged = () => {
    showNotice(t('passwordChanged'))
    return reloadMe()
  }
  return (
    <Page title={t('yourAccount')} isNarrow>
      <p className="quiet-text" dir="auto">
        {t('signedInAs', { username, email, role: t(`role_${role}`) })}
      </p>
      <Card title={t('secondFactor')}>
        <Loaded query={factor}>
          {(data) => <SecondFactor factor={data} onChange={() => queries.invalidateQueries(secondFactorQuery)} />}
        </Loaded>
      </Card>
      <Card title={t('changePassword')}>
        <p className="quiet-text">{t('changePasswordText')}</p>
        <ChangePasswordForm onChanged={onPasswordChanged} />
      </Card>
    </Page>
  )
}
