import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { MailStatus } from '../../../contract/mail.ts'
import { api, must, type Wire } from '../api/api.ts'

export type Mail = Wire['Mail']

export const mailStates = ['queued', 'sent', 'failed', 'kept'] as const satisfies readonly MailStatus[]

export const mailStateOf = (text: string | undefined): MailStatus | undefined =>
  mailStates.find((state) => state === text)

const sendingMs = 4000

/** One page of the outbox, from 1. It is fetched again while a mail is queued. */
export const mailsQuery = (page: number, status: MailStatus | undefined) =>
  queryOptions({
    queryKey: ['mail', page, status],
    queryFn: ({ signal }) =>
      must(api.GET('/api/admin/mail/outbox', { params: { query: { page, ...(status && { status }) } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => state.data?.mails.some((mail) => mail.status === 'queued') && sendingMs,
  })
