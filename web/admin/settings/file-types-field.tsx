import { translator } from '../app/language.ts'
import { CheckField } from '../components/field.tsx'
import { fileTypes, listFileTypes } from './settings-fields.ts'

const t = translator('settings')

type Props = { name: string; value: string; isInvalid: boolean }

/** Each checkbox contributes the extensions of its type to the form. */
export function FileTypesField({ name, value, isInvalid }: Props) {
  const allowed = listFileTypes(value)
  return (
    <>
      {(['photos', 'converted', 'videos'] as const).map((group) => (
        <fieldset key={group} className="settings-types">
          <legend>{t(`fileTypes_${group}`)}</legend>
          {fileTypes[group].map((type) => (
            <CheckField
              key={type.label}
              label={type.label}
              name={name}
              value={type.extensions.join(',')}
              defaultChecked={allowed.includes(type)}
            />
          ))}
          {group === 'converted' && <p className="help">{t('fileTypesConvertedHelp')}</p>}
        </fieldset>
      ))}
      {isInvalid && (
        <p className="wrong" role="alert">
          {t('fileTypesRequired')}
        </p>
      )}
    </>
  )
}
