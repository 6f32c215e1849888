import { queryOptions, useMutation } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { queries } from '../../app/query-client.ts'
import { confirm } from '../../components/confirm.tsx'
import { showError, showNotice } from '../../components/notices.tsx'

const t = translator('events')

export type FirstLookBody = Schemas['FirstLookBody']

const path = '/api/admin/events/{event_id}/first-look'
const toParams = (eventId: number) => ({ params: { path: { event_id: eventId } } })

export const firstLookQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['event', eventId, 'first-look'] as const,
    queryFn: async ({ signal }) => (await unwrap(api.GET(path, { ...toParams(eventId), signal }))).first_look,
  })

/** `null` removes the first look. */
export async function changeFirstLook(eventId: number, body: FirstLookBody | null): Promise<void> {
  await unwrap(body ? api.PUT(path, { ...toParams(eventId), body }) : api.DELETE(path, toParams(eventId)))
  await queries.invalidateQueries({ queryKey: ['event', eventId] })
}

/** Asks first, because the mails cannot be taken back. */
export const useCompletion = (eventId: number) =>
  useMutation({
    mutationFn: async () => {
      const isSure = await confirm({
        title: t('firstLookCompleteTitle'),
        text: t('firstLookCompleteText'),
        action: t('firstLookComplete'),
        isDangerous: false,
      })
      if (!isSure) return
      await unwrap(api.POST(`${path}/complete`, toParams(eventId)))
      showNotice(t('firstLookCompleted'))
      await queries.invalidateQueries({ queryKey: ['event', eventId] })
    },
    onError: showError,
  })
