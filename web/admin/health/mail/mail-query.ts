import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { MailStatus } from '../../../../contract/instance/mail.ts'
import { api, type Schemas, unwrap } from '../../api/api.ts'

export type Mail = Schemas['Mail']

export const mailStatuses = ['queued', 'sent', 'failed', 'kept'] as const satisfies readonly MailStatus[]

export const parseMailStatus = (text: string | undefined): MailStatus | undefined =>
  mailStatuses.find((state) => state === text)

const refetchMs = 4000

/** `page` starts at 1. The page is fetched again every 4 seconds while it contains a queued mail. */
export const mailsQuery = (page: number, status: MailStatus | undefined) =>
  queryOptions({
    queryKey: ['mail', page, status],
    queryFn: ({ signal }) =>
      unwrap(api.GET('/api/admin/mail/outbox', { params: { query: { page, ...(status && { status }) } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data?.mails.some((mail) => mail.status === 'queued') && refetchMs,
  })
