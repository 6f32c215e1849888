import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, must } from '../api/api.ts'
import { translator } from '../desk/language.ts'
import { useMay } from '../desk/me.ts'
import { Button } from '../parts/button.tsx'
import { errorMessage } from '../parts/error-messages.ts'
import { showNotice } from '../parts/notices.tsx'
import { Progress } from '../parts/progress.tsx'
import { inTurns } from '../photos/in-turns.ts'
import { askWaitingIds, type CommentsSearch, commentCountQuery } from './comments-query.ts'
import { askProofingAgain } from './picks-query.ts'

const t = translator('proofing')

export function ApproveAll({ eventId, search }: { eventId: number; search: CommentsSearch }) {
  const canEdit = useMay()('photos.edit')
  const { photo, guest } = search
  const asked = { ...(photo && { photo }), ...(guest && { guest }) }
  const { data: waiting = 0 } = useQuery(commentCountQuery(eventId, { ...asked, status: 'pending' }))
  const [progress, setProgress] = useState({ done: 0, total: 0 })
  const approve = useMutation({
    mutationFn: async () => {
      const ids = await askWaitingIds(eventId, asked)
      setProgress({ done: 0, total: ids.length })
      const action = (feedback_id: number) =>
        must(api.PUT('/api/admin/feedback/{feedback_id}/approve', { params: { path: { feedback_id } } }))
      const { failed, error } = await inTurns(ids, action, {
        atOnce: 4,
        onDone: (done) => setProgress({ done, total: ids.length }),
      })
      await askProofingAgain(eventId)
      if (failed.length > 0) throw error
      return ids.length
    },
    onSuccess: (count) => showNotice(t('approvedAll', { count })),
    onError: (error) => showNotice(errorMessage(error), { isAlarm: true }),
  })
  if (approve.isPending && progress.total > 1) {
    return <Progress label={t('approveAll', { count: progress.total })} done={progress.done} total={progress.total} />
  }
  if (!canEdit || waiting < 2) return null
  return (
    <Button icon="check" isBusy={approve.isPending} onClick={() => approve.mutate()}>
      {t('approveAll', { count: waiting })}
    </Button>
  )
}
