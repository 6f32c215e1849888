import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { findMessage, translator } from '../app/language.ts'
import { CheckField } from '../components/field.tsx'
import { Loaded } from '../components/loaded.tsx'
import { eventTypesQuery, type WebhookEventType } from './webhooks-query.ts'

const t = translator('webhooks')

const groups = ['event', 'photo', 'guest'] as const

type Props = {
  chosen: readonly WebhookEventType[]
  errorText: string | null
  onChange: (chosen: WebhookEventType[]) => void
}

/** `onChange` gets the types in the order in which the service lists them. */
export function EventTypeFields({ chosen, errorText, onChange }: Props) {
  const id = useId()
  const query = useQuery(eventTypesQuery)
  return (
    <Loaded query={query}>
      {(types) => {
        const choose = (type: WebhookEventType, isChosen: boolean) =>
          onChange(types.map((one) => one.type).filter((one) => (one === type ? isChosen : chosen.includes(one))))
        return (
          <>
            {errorText && (
              <p className="wrong" id={`${id}-wrong`}>
                {errorText}
              </p>
            )}
            <div className="webhooks-groups">
              {groups.map((group) => (
                <fieldset key={group} className="field-group webhooks-group">
                  <legend>{t(`group_${group}`)}</legend>
                  {types
                    .filter(({ type }) => getGroup(type) === group)
                    .map((record) => (
                      <CheckField
                        key={record.type}
                        label={typeLabel(record)}
                        help={<code>{record.type}</code>}
                        checked={chosen.includes(record.type)}
                        onChange={({ target }) => choose(record.type, target.checked)}
                        {...(errorText && { 'aria-invalid': true, 'aria-describedby': `${id}-wrong` })}
                      />
                    ))}
                </fieldset>
              ))}
            </div>
            <p className="help">{t('tellItOfHelp')}</p>
          </>
        )
      }}
    </Loaded>
  )
}

const getGroup = (type: string): (typeof groups)[number] => {
  if (type.startsWith('event.')) return 'event'
  return type.startsWith('photo.') ? 'photo' : 'guest'
}

const typeLabel = ({ type, description }: { type: WebhookEventType; description: string }): string =>
  findMessage('webhooks', `type_${type.replace('.', '_')}`) ?? description
