import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import { showError, showNotice } from '../../components/notices.tsx'
import { Progress } from '../../components/progress.tsx'
import { useCanChange } from '../../events/event-context.tsx'
import { forEachConcurrent } from '../../photos/model/concurrency.ts'
import { invalidateFeedback } from '../picks-query.ts'
import { type CommentsSearch, commentCountQuery, fetchPendingIds } from './comments-query.ts'

const t = translator('feedback')

export function ApproveAll({ eventId, search }: { eventId: number; search: CommentsSearch }) {
  const canEdit = useCanChange('photos.edit')
  const { photo, guest } = search
  const filters = { ...(photo && { photo }), ...(guest && { guest }) }
  const { data: pendingCount = 0 } = useQuery(commentCountQuery(eventId, { ...filters, status: 'pending' }))
  const [progress, setProgress] = useState({ done: 0, total: 0 })
  const approve = useMutation({
    mutationFn: async () => {
      const ids = await fetchPendingIds(eventId, filters)
      setProgress({ done: 0, total: ids.length })
      const action = (feedback_id: number) =>
        unwrap(api.PUT('/api/admin/feedback/{feedback_id}/approve', { params: { path: { feedback_id } } }))
      const { failed, error } = await forEachConcurrent(ids, action, {
        concurrency: 4,
        onDone: (done) => setProgress({ done, total: ids.length }),
      })
      await invalidateFeedback(eventId)
      if (failed.length > 0) throw error
      return ids.length
    },
    onSuccess: (count) => showNotice(t('approvedAll', { count })),
    onError: showError,
  })
  if (approve.isPending && progress.total > 1) {
    return <Progress label={t('approveAll', { count: progress.total })} done={progress.done} total={progress.total} />
  }
  if (!canEdit || pendingCount < 2) return null
  return (
    <Button icon="check" isBusy={approve.isPending} onClick={() => approve.mutate()}>
      {t('approveAll', { count: pendingCount })}
    </Button>
  )
}
