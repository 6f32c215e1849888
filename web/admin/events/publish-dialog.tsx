import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, must } from '../api/api.ts'
import { sayIn } from '../desk/language.ts'
import { ActionDialog } from '../parts/action-dialog.tsx'
import { CheckField } from '../parts/field.tsx'
import { tell } from '../parts/notices.tsx'
import { timeWords } from '../parts/time-words.ts'
import type { EventSummary } from './event-mutations.ts'
import { eventChanged } from './event-query.ts'

const say = sayIn('events')

export function PublishDialog({ event, onClose }: { event: EventSummary; onClose: () => void }) {
  const { id, event_name: name, customer_email: email } = event
  const [isMailed, setMailed] = useState(true)
  const isOver = !event.is_active
  const params = { path: { event_id: id } }
  const publish = useMutation({
    mutationFn: async () => {
      if (email) await must(api.PATCH('/api/admin/events/{event_id}', { params, body: { send_email: isMailed } }))
      return must(api.POST('/api/admin/events/{event_id}/publish', { params }))
    },
    onSuccess: async (event) => {
      onClose()
      await eventChanged(event)
      tell(say('published', { name }))
    },
  })
  return (
    <ActionDialog
      title={say('publishTitle', { name })}
      about={isOver ? say('publishOver', { time: timeWords(event.expires_at) }) : say('publishText')}
      action={say('publish')}
      mutation={publish}
      onAction={() => publish.mutate()}
      onClose={onClose}
    >
      {email && !isOver && (
        <CheckField
          label={say('mailTo', { email })}
          help={event.require_password ? say('mailWithoutPassword') : undefined}
          checked={isMailed}
          onChange={({ target }) => setMailed(target.checked)}
        />
      )}
    </ActionDialog>
  )
}
