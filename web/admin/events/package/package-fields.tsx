import './package.css'
import { translator } from '../../app/language.ts'
import { Choices } from '../../components/choices.tsx'
import { TextField } from '../../components/field.tsx'
import type { PackageDraft } from './package-draft.ts'

const t = translator('rounds')

type NumbersProps<Draft> = {
  draft: Draft
  onChange: (more: Partial<Draft>) => void
  errorText: (field: string) => string | null
}

export const NumberFields = <Draft extends Pick<PackageDraft, 'included' | 'minimum' | 'maximum'>>({
  draft,
  onChange,
  errorText,
}: NumbersProps<Draft>) => (
  <div className="package-numbers">
    {(['included', 'minimum', 'maximum'] as const).map((field) => (
      <TextField
        key={field}
        type="number"
        inputMode="numeric"
        min={field === 'maximum' ? 1 : 0}
        max={100_000}
        label={t(field)}
        placeholder={field === 'included' ? undefined : t(field === 'minimum' ? 'noMinimum' : 'noMaximum')}
        required={field === 'included'}
        value={draft[field]}
        onChange={({ target }) => onChange({ [field]: target.value } as Partial<Draft>)}
        errorText={errorText(field)}
      />
    ))}
  </div>
)

type Props = NumbersProps<PackageDraft>

export const PackageFields = ({ draft, onChange, errorText }: Props) => (
  <>
    <TextField
      label={t('purpose')}
      help={t('purposeHelp')}
      maxLength={60}
      required
      value={draft.purpose}
      onChange={({ target }) => onChange({ purpose: target.value })}
      errorText={errorText('purpose')}
    />
    <NumberFields draft={draft} onChange={onChange} errorText={errorText} />
    <TextField
      label={t('extraText')}
      help={t('extraTextHelp')}
      maxLength={120}
      value={draft.extra_text}
      onChange={({ target }) => onChange({ extra_text: target.value })}
      errorText={errorText('extra_text')}
    />
    <Choices
      label={t('whenSent')}
      value={draft.locks_on_submission ? 'locks' : 'waits'}
      onChange={(value) => onChange({ locks_on_submission: value === 'locks' })}
      choices={[
        { value: 'locks', label: t('locks'), help: t('locksHelp') },
        { value: 'waits', label: t('waits'), help: t('waitsHelp') },
      ]}
    />
  </>
)
