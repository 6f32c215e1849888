import './settings.css'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../api/api.ts'
import { useMe } from '../app/me.ts'
import { Loaded } from '../components/loaded.tsx'
import { NotFound } from '../components/not-found.tsx'
import { MailServerForm } from './mail-server-form.tsx'
import { PublicAddressForm } from './public-address-form.tsx'

const mailServerQuery = queryOptions({
  queryKey: ['settings', 'mail-server'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/mail/server', { signal })),
})

const publicAddressQuery = queryOptions({
  queryKey: ['settings', 'public-address'],
  queryFn: ({ signal }) => unwrap(api.GET('/api/admin/public-address', { signal })),
})

/** Only a super_admin may read these settings. */
export const MailAndAddressPage = () => (useMe().role === 'super_admin' ? <Forms /> : <NotFound />)

function Forms() {
  const address = useQuery(publicAddressQuery)
  const mailServer = useQuery(mailServerQuery)
  return (
    <>
      <Loaded query={address}>{(address) => <PublicAddressForm address={address} />}</Loaded>
      <Loaded query={mailServer}>{(record) => <MailServerForm record={record} />}</Loaded>
    </>
  )
}
