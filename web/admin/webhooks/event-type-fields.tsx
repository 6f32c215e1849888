import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { translator } from '../app/language.ts'
import { CheckField } from '../components/field.tsx'
import { Loaded } from '../components/loaded.tsx'
import { groupLabel, typeLabel, typesByGroup } from './event-type-labels.ts'
import { eventTypesQuery, type WebhookEventType } from './webhooks-query.ts'

const t = translator('webhooks')

type Props = {
  chosen: readonly WebhookEventType[]
  errorText: string | null
  onChange: (chosen: WebhookEventType[]) => void
}

/** `onChange` gets the types in the order of the catalog. */
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
              {typesByGroup(types).map(([group, groupTypes]) => (
                <fieldset key={group} className="field-group webhooks-group">
                  <legend>{groupLabel(group)}</legend>
                  {groupTypes.map((record) => (
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
