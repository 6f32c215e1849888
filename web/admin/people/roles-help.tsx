import { useQuery } from '@tanstack/react-query'
import { findMessage, translator } from '../app/language.ts'
import { Icon } from '../components/icon.tsx'
import { rolesQuery } from './people-queries.ts'

const t = translator('people')
const tAccount = translator('account')

export function RolesHelp() {
  const { data } = useQuery(rolesQuery)
  if (!data) return null
  const permissions = data.roles[0]?.permissions ?? []
  return (
    <details className="roles-help">
      <summary>{t('whatRolesMay')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <section className="table-frame" tabIndex={0} aria-label={t('whatRolesMay')}>
        <table className="table">
          <thead>
            <tr>
              <td />
              {data.roles.map(({ role }) => (
                <th key={role} scope="col">
                  {tAccount(`role_${role}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{t('whoseEvents')}</th>
              {data.roles.map(({ role, all_events }) => (
                <td key={role}>{t(all_events ? 'allEvents' : 'ownEvents')}</td>
              ))}
            </tr>
            {permissions.map((permission) => (
              <tr key={permission}>
                <th scope="row">{findMessage('people', `may_${permission.replace('.', '_')}`) ?? permission}</th>
                {data.roles.map(({ role, permissions: granted }) => {
                  const isGranted = granted.includes(permission)
                  return (
                    <td key={role}>
                      {isGranted && <Icon name="check" />}
                      <span className="heard">{t(isGranted ? 'yes' : 'no')}</span>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}
