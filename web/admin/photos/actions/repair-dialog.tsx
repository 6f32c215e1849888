import { useMutation, useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { Button, Buttons } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { formatRelativeTime } from '../../components/format-time.ts'
import { Loaded } from '../../components/loaded.tsx'
import { showError } from '../../components/notices.tsx'
import { Progress } from '../../components/progress.tsx'

const t = translator('photos')

const pollIntervalMs = 1500

/** Starts the repair of missing photo dimensions in all events, and shows its progress. */
export function RepairDialog({ onClose }: { onClose: () => void }) {
  const status = useQuery({
    queryKey: ['photos', 'repair'],
    queryFn: ({ signal }) => unwrap(api.GET('/api/admin/photos/repair-dimensions/status', { signal })),
    refetchInterval: ({ state }) => (state.data?.isRunning ? pollIntervalMs : false),
  })
  const start = useMutation({
    mutationFn: () => unwrap(api.POST('/api/admin/photos/repair-dimensions')),
    onSettled: () => status.refetch(),
    onError: showError,
  })
  return (
    <Dialog isOpen onClose={onClose} title={t('repair')} description={t('repairText')}>
      <Loaded query={status}>
        {({ total, withDimensions, withoutDimensions, isRunning, lastResult }) => (
          <div className="stack">
            <p role="status">
              {withoutDimensions === 0
                ? t('repairNone', { count: total })
                : t('repairLeft', { count: withoutDimensions })}
            </p>
            {isRunning && <Progress label={t('repairing')} done={withDimensions} total={total} />}
            {lastResult && !isRunning && (
              <p className="quiet-text">
                {t('repairLast', {
                  when: formatRelativeTime(lastResult.finishedAt),
                  count: lastResult.success,
                  failed: lastResult.failed,
                })}
              </p>
            )}
            <Buttons isAtEnd>
              <Button onClick={onClose}>{t('close')}</Button>
              {(withoutDimensions > 0 || isRunning) && (
                <Button
                  kind="primary"
                  icon="refresh"
                  isBusy={isRunning || start.isPending}
                  onClick={() => start.mutate()}
                >
                  {t('repairAction')}
                </Button>
              )}
            </Buttons>
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}
