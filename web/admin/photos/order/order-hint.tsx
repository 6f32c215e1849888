import './order-hint.css'
import { useMutation } from '@tanstack/react-query'
import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import { showError, showNotice } from '../../components/notices.tsx'
import type { Event } from '../../events/event-context.tsx'
import { changeEvent, updateCachedEvent } from '../../events/event-queries.ts'

const t = translator('photos')

/** How to order the photos, and whether guests see this order. */
export function OrderHint({ event, canChangeEvent }: { event: Event; canChangeEvent: boolean }) {
  const isShown = event.default_photo_sort === 'manual'
  const show = useMutation({
    mutationFn: () => changeEvent(event.id, { default_photo_sort: 'manual' }),
    onSuccess: async (changed) => {
      await updateCachedEvent(changed)
      showNotice(t('orderShownNow'))
    },
    onError: showError,
  })
  return (
    <p className="order-hint">
      <span>
        {t(matchMedia('(hover: none)').matches ? 'orderHintTouch' : 'orderHint')}{' '}
        {t(isShown ? 'orderShown' : 'orderNotShown')}
      </span>
      {!isShown && canChangeEvent && (
        <Button disabled={show.isPending} onClick={() => show.mutate()}>
          {t('showOrder')}
        </Button>
      )}
    </p>
  )
}
