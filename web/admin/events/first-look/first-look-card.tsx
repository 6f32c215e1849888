import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { translator } from '../../app/language.ts'
import { Button, Buttons, SubmitButton } from '../../components/button.tsx'
import { errorMessage, findFieldMessage } from '../../components/error-messages.ts'
import { reportBadInput, TextField } from '../../components/field.tsx'
import { formatDate } from '../../components/format-time.ts'
import { showNotice } from '../../components/notices.tsx'
import { Card } from '../../components/page.tsx'
import type { Event } from '../event-context.tsx'
import { FirstLookLine } from './first-look-line.tsx'
import { changeFirstLook, type FirstLook, firstLookQuery } from './first-look-query.ts'

const t = translator('events')

type Props = { event: Event; isLocked: boolean }

export function FirstLookCard({ event, isLocked }: Props) {
  const { data } = useQuery(firstLookQuery(event.id))
  return (
    <Card title={t('firstLook')}>
      <p className="help">{t('firstLookHelp')}</p>
      {event.has_first_look && <FirstLookLine event={event} />}
      {data?.completed_at && <p className="help">{t('firstLookDone', { date: formatDate(data.completed_at) })}</p>}
      {data !== undefined && <FirstLookForm key={JSON.stringify(data)} {...{ event, isLocked }} saved={data} />}
    </Card>
  )
}

function FirstLookForm({ event, isLocked, saved }: Props & { saved: FirstLook | null }) {
  const [about, setAbout] = useState(saved ? String(saved.about_count) : '')
  const [day, setDay] = useState(saved?.complete_on ?? '')
  const save = useMutation({
    mutationFn: (isRemoving: boolean) =>
      changeFirstLook(event.id, isRemoving ? null : { about_count: Number(about), complete_on: day }),
    onSuccess: (_, isRemoving) => showNotice(t(isRemoving ? 'firstLookRemoved' : 'firstLookSaved')),
  })
  const wrong = (field: string) => findFieldMessage(save.error, field)
  const onSubmit = (submit: FormEvent<HTMLFormElement>) => {
    submit.preventDefault()
    if (!reportBadInput(submit.currentTarget)) save.mutate(false)
  }
  return (
    <form className="stack" noValidate onSubmit={onSubmit}>
      <TextField
        type="number"
        inputMode="numeric"
        min={1}
        max={100_000}
        label={t('firstLookAbout')}
        value={about}
        disabled={isLocked}
        onChange={({ target }) => setAbout(target.value)}
        errorText={wrong('about_count')}
      />
      <TextField
        type="date"
        label={t('firstLookBy')}
        value={day}
        disabled={isLocked}
        onChange={({ target }) => setDay(target.value)}
        errorText={wrong('complete_on')}
      />
      {save.isError && !wrong('about_count') && !wrong('complete_on') && (
        <p className="wrong" role="alert">
          {errorMessage(save.error)}
        </p>
      )}
      <Buttons>
        <SubmitButton kind="plain" isBusy={save.isPending} disabled={isLocked || about === '' || day === ''}>
          {t(event.has_first_look ? 'firstLookChange' : 'firstLookSave')}
        </SubmitButton>
        {saved && (
          <Button kind="quiet" icon="trash" disabled={isLocked} onClick={() => save.mutate(true)}>
            {t('firstLookRemove')}
          </Button>
        )}
      </Buttons>
    </form>
  )
}
