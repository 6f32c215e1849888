import { useMutation } from '@tanstack/react-query'
import { translator } from '../app/language.ts'
import { Button, Buttons } from '../components/button.tsx'
import { showError, showNotice } from '../components/notices.tsx'
import { type Event, useCanChange } from './event-context.tsx'
import { changeEvent, updateCachedEvent } from './event-queries.ts'

const t = translator('events')

/** Offers to turn on pins and boxes. Empty if they are on already, or could have no effect. */
export function AnnotationsOffer({ event }: { event: Event }) {
  const canEdit = useCanChange('events.edit')
  const turnOn = useMutation({
    mutationFn: () => changeEvent(event.id, { allow_annotations: true }),
    onSuccess: async (changed) => {
      showNotice(t('annotationsOn'))
      await updateCachedEvent(changed)
    },
    onError: showError,
  })
  if (event.allow_annotations || !event.feedback_enabled || event.is_archived) return null
  return (
    <>
      <p className="quiet-text">{t('annotationsOff')}</p>
      {canEdit && (
        <Buttons>
          <Button isBusy={turnOn.isPending} onClick={() => turnOn.mutate()}>
            {t('turnOnAnnotations')}
          </Button>
        </Buttons>
      )}
    </>
  )
}
