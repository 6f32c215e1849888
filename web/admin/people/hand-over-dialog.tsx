import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { api, must, type Wire } from '../api/api.ts'
import { sayIn } from '../desk/language.ts'
import { Button, Buttons } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { SelectField } from '../parts/field.tsx'
import { tell } from '../parts/notices.tsx'
import { wordsOf } from '../parts/refusal-words.ts'

const say = sayIn('people')

type Account = Wire['Account']
type Props = { account: Account; others: readonly Account[]; onClose: () => void }

/** Gives the events and customers of somebody who has left to somebody who stays. */
export function HandOverDialog({ account, others, onClose }: Props) {
  const queries = useQueryClient()
  const handOver = useMutation({
    mutationFn: (to_user_id: number) =>
      must(
        api.POST('/api/admin/users/{user_id}/hand-over', {
          params: { path: { user_id: account.id } },
          body: { to_user_id },
        }),
      ),
    onSuccess: ({ events, customers }) => {
      queries.invalidateQueries()
      tell([say('eventsHandedOver', { count: events }), say('customersHandedOver', { count: customers })].join(' '))
      onClose()
    },
  })
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    handOver.mutate(Number(new FormData(event.currentTarget).get('to')))
  }
  return (
    <Dialog
      title={say('handOverOf', { name: account.username })}
      about={say('handOverText', { count: account.event_count })}
      isOpen
      onClose={onClose}
    >
      <form className="stack" onSubmit={onSubmit}>
        <SelectField label={say('handOverTo')} name="to" required>
          {others
            .filter(({ id, is_active }) => is_active && id !== account.id)
            .map(({ id, username }) => (
              <option key={id} value={id}>
                {username}
              </option>
            ))}
        </SelectField>
        {handOver.isError && <p className="wrong">{wordsOf(handOver.error)}</p>}
        <Buttons isAtEnd>
          <Button type="submit" kind="primary" isBusy={handOver.isPending}>
            {say('handOver')}
          </Button>
        </Buttons>
      </form>
    </Dialog>
  )
}
