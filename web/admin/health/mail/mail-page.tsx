import '../../events/mail/mail.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { Button } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { showError, showNotice } from '../../components/notices.tsx'
import { Card, Empty, Page } from '../../components/page.tsx'
import { Pagination } from '../../components/pagination.tsx'
import { MailSettingsLink } from '../health-parts.tsx'
import { useIsMailConfigured } from '../health-query.ts'
import { MailDialog } from './mail-dialog.tsx'
import { mailStatuses, mailsQuery, parseMailStatus } from './mail-query.ts'
import { MailTable } from './mail-table.tsx'

const t = translator('health')
const route = getRouteApi('/inside/mail')

export function MailPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const state = parseMailStatus(search.status)
  const hasPermission = useHasPermission()
  const query = useQuery(mailsQuery(search.page ?? 1, state))
  const [openId, setOpenId] = useState<number | null>(null)
  const showStatus = (status: string | undefined) => void navigate({ search: status ? { status } : {}, replace: true })
  const isConfigured = useIsMailConfigured()
  const canTest = isConfigured && hasPermission('settings.edit')
  const open = query.data?.mails.find(({ id }) => id === openId)
  return (
    <Page title={t('outbox')} actions={canTest && <TestMail />}>
      {!isConfigured && <MailNotConfigured />}
      <fieldset className="mail-states">
        <legend className="heard">{t('mailState')}</legend>
        <Chip isOn={!state} onClick={() => showStatus(undefined)}>
          {t('allMail')}
        </Chip>
        {mailStatuses.map((one) => (
          <Chip key={one} isOn={state === one} onClick={() => showStatus(one)}>
            {t(`mail_${one}`)}
          </Chip>
        ))}
      </fieldset>
      <Loaded query={query}>
        {({ mails, pagination: { page, pages, total } }) => (
          <>
            <p className="heard" role="status">
              {t('mailsFound', { count: total })}
            </p>
            {mails.length > 0 && <MailTable mails={mails} onOpen={setOpenId} />}
            {mails.length === 0 && state && (
              <Empty title={t('noMailInState')} text={t(`noMail_${state}`)}>
                <Button onClick={() => showStatus(undefined)}>{t('showAllMail')}</Button>
              </Empty>
            )}
            {mails.length === 0 && !state && <Empty title={t('noMail')} text={t('noMailText')} />}
            <Pagination
              page={page}
              pages={pages}
              onPage={(to) => void navigate({ search: (before) => ({ ...before, page: to }) })}
            />
          </>
        )}
      </Loaded>
      {open && <MailDialog mail={open} isConfigured={isConfigured} onClose={() => setOpenId(null)} />}
    </Page>
  )
}

const MailNotConfigured = () => (
  <Card title={t('mailOffTitle')} actions={<MailSettingsLink />}>
    <p>{t('mailOffText')}</p>
  </Card>
)

/** The mail goes to the account that is signed in. */
function TestMail() {
  const send = useMutation({
    mutationFn: () => unwrap(api.POST('/api/admin/mail/test')),
    onSuccess: ({ to, is_sent, problem }) =>
      is_sent
        ? showNotice(t('testMailTaken', { address: to }))
        : showNotice(t('testMailRefused', { address: to, problem: problem ?? '' }), { isAlarm: true }),
    onError: showError,
  })
  return (
    <Button icon="send" isBusy={send.isPending} onClick={() => send.mutate()}>
      {t('testMail')}
    </Button>
  )
}
