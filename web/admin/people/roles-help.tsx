import { useQuery } from '@tanstack/react-query'
import { findText, sayIn } from '../desk/language.ts'
import { Icon } from '../parts/icon.tsx'
import { rolesQuery } from './people-queries.ts'

const say = sayIn('people')
const sayOfAccount = sayIn('account')

export function RolesHelp() {
  const { data } = useQuery(rolesQuery)
  if (!data) return null
  const permissions = data.roles[0]?.permissions ?? []
  return (
    <details className="roles-help">
      <summary>{say('whatRolesMay')}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll it */}
      <section className="table-frame" tabIndex={0} aria-label={say('whatRolesMay')}>
        <table className="table">
          <thead>
            <tr>
              <td />
              {data.roles.map(({ role }) => (
                <th key={role} scope="col">
                  {sayOfAccount(`role_${role}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{say('whoseEvents')}</th>
              {data.roles.map(({ role, all_events }) => (
                <td key={role}>{say(all_events ? 'allEvents' : 'ownEvents')}</td>
              ))}
            </tr>
            {permissions.map((permission) => (
              <tr key={permission}>
                <th scope="row">{findText('people', `may_${permission.replace('.', '_')}`) ?? permission}</th>
                {data.roles.map(({ role, permissions: granted }) => {
                  const isGranted = granted.includes(permission)
                  return (
                    <td key={role}>
                      {isGranted && <Icon name="check" />}
                      <span className="heard">{say(isGranted ? 'yes' : 'no')}</span>
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
