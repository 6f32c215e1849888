import { useQuery, useQueryClient } from '@tanstack/react-query'
import { sayIn } from '../desk/language.ts'
import { meetAgain, useMe } from '../desk/me.ts'
import { Loaded } from '../parts/loaded.tsx'
import { tell } from '../parts/notices.tsx'
import { Card, Page } from '../parts/page.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'
import { SecondFactor } from './second-factor.tsx'
import { secondFactorQuery } from './second-factor-query.ts'

const say = sayIn('account')

export function AccountPage() {
  const { username, email, role } = useMe()
  const factor = useQuery(secondFactorQuery)
  const queries = useQueryClient()
  return (
    <Page title={say('yourAccount')} isNarrow>
      <p className="quiet-text" dir="auto">
        {say('signedInAs', { username, email, role: say(`role_${role}`) })}
      </p>
      <Card title={say('secondFactor')}>
        <Loaded query={factor}>
          {(data) => <SecondFactor factor={data} onChange={() => queries.invalidateQueries(secondFactorQuery)} />}
        </Loaded>
      </Card>
      <Card title={say('changePassword')}>
        <p className="quiet-text">{say('changePasswordText')}</p>
        <PasswordCard />
      </Card>
    </Page>
  )
}

const PasswordCard = () => (
  <ChangePasswordForm
    onChanged={async () => {
      tell(say('passwordChanged'))
      await meetAgain()
    }}
  />
)
