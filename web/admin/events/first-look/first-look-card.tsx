import { useMutation, useQuery } from '@tanstack/react-query'
import { translator } from '../../app/language.ts'
import { Button, Buttons, SubmitButton } from '../../components/button.tsx'
import { findFieldMessage } from '../../components/error-messages.ts'
import { handleSubmit, TextField } from '../../components/field.tsx'
import { showError, showNotice } from '../../components/notices.tsx'
import { Card } from '../../components/page.tsx'
import type { Event } from '../event-context.tsx'
import { FirstLookLine } from './first-look-line.tsx'
import { changeFirstLook, type FirstLookBody, firstLookQuery } from './first-look-query.ts'

const t = translator('events')

export function FirstLookCard({ event, isLocked }: { event: Event; isLocked: boolean }) {
  const { data: saved } = useQuery(firstLookQuery(event.id))
  const save = useMutation({
    mutationFn: (body: FirstLookBody | null) => changeFirstLook(event.id, body),
    onSuccess: (_, body) => showNotice(t(body ? 'firstLookSaved' : 'firstLookRemoved')),
    onError: showError,
  })
  const onSubmit = handleSubmit((form) =>
    save.mutate({ about_count: Number(form.get('about')), complete_on: String(form.get('day')) }),
  )
  const parts = [
    { name: 'about', field: 'about_count', label: t('firstLookAbout'), type: 'number', min: 1, max: 100_000 },
    { name: 'day', field: 'complete_on', label: t('firstLookBy'), type: 'date' },
  ] as const
  return (
    <Card title={t('firstLook')}>
      <p className="help">{t('firstLookHelp')}</p>
      {event.has_first_look && <FirstLookLine event={event} />}
      {saved !== undefined && (
        <form key={JSON.stringify(saved)} className="stack" noValidate onSubmit={onSubmit}>
          {parts.map(({ field, ...input }) => (
            <TextField
              key={field}
              {...input}
              defaultValue={saved?.[field]}
              disabled={isLocked}
              errorText={findFieldMessage(save.error, field)}
            />
          ))}
          <Buttons>
            <SubmitButton kind="plain" isBusy={save.isPending} disabled={isLocked}>
              {t(event.has_first_look ? 'firstLookChange' : 'firstLookSave')}
            </SubmitButton>
            {saved && (
              <Button kind="quiet" icon="trash" disabled={isLocked} onClick={() => save.mutate(null)}>
                {t('firstLookRemove')}
              </Button>
            )}
          </Buttons>
        </form>
      )}
    </Card>
  )
}
