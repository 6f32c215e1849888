import './mail.css'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { findLetterProblem, type LetterProblem, type LetterText } from '../../../../contract/instance/letters.ts'
import { type Language, languages } from '../../../../contract/languages.ts'
import { nameLanguage } from '../../../../locales/name-language.ts'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { queries } from '../../app/query-client.ts'
import { Button, Buttons, IconButton } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { confirm } from '../../components/confirm.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { errorMessage } from '../../components/error-messages.ts'
import { TextArea, TextField } from '../../components/field.tsx'
import { formatList } from '../../components/format-list.ts'
import { InlineChoice } from '../../components/inline-choice.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { showNotice } from '../../components/notices.tsx'
import { type Column, Table } from '../../components/table.tsx'

const t = translator('letters')

type Letter = Schemas['Letter']
/** `eventId`: null for the texts of the instance. `firstLanguage` is shown at first. */
type Props = { eventId: number | null; canEdit: boolean; firstLanguage: Language }
type DialogProps = Pick<Props, 'eventId' | 'canEdit'> & { letter: Letter; onClose: () => void }

const lettersQuery = (eventId: number | null) =>
  queryOptions({
    queryKey: ['letters', eventId],
    queryFn: ({ signal }) =>
      eventId === null
        ? unwrap(api.GET('/api/admin/letters', { signal }))
        : unwrap(api.GET('/api/admin/events/{event_id}/letters', { params: { path: { event_id: eventId } }, signal })),
  })

function sendText(eventId: number | null, { letter, language }: Letter, body: LetterText | null) {
  const path = { letter, language }
  if (eventId === null) {
    const params = { path }
    return body
      ? unwrap(api.PUT('/api/admin/letters/{letter}/{language}', { params, body }))
      : unwrap(api.DELETE('/api/admin/letters/{letter}/{language}', { params }))
  }
  const params = { path: { ...path, event_id: eventId } }
  return body
    ? unwrap(api.PUT('/api/admin/events/{event_id}/letters/{letter}/{language}', { params, body }))
    : unwrap(api.DELETE('/api/admin/events/{event_id}/letters/{letter}/{language}', { params }))
}

const previewPath = (eventId: number | null, { letter, language }: Letter): string =>
  `/api/admin/${eventId === null ? '' : `events/${eventId}/`}letters/${letter}/${language}/html`

/** The mails with their subjects in one language. Each opens a dialog with its text. */
export function LetterTexts({ eventId, canEdit, firstLanguage }: Props) {
  const query = useQuery(lettersQuery(eventId))
  const [language, setLanguage] = useState<string>(firstLanguage)
  const [open, setOpen] = useState<Letter | null>(null)
  const columns: Column<Letter>[] = [
    { head: t('mail'), cell: ({ letter }) => t(`name_${letter}`) },
    {
      head: t('subject'),
      cell: ({ subject, is_own }) => (
        <span lang={language} dir="auto">
          {subject} {is_own && <span className="quiet-text">{t('changed')}</span>}
        </span>
      ),
      isWideOnly: true,
    },
    {
      head: t('edit'),
      isHeadHidden: true,
      cell: (letter) => (
        <IconButton
          icon="edit"
          label={t('editNamed', { name: t(`name_${letter.letter}`) })}
          onClick={() => setOpen(letter)}
        />
      ),
    },
  ]
  return (
    <>
      <InlineChoice label={t('language')} value={language} onChange={setLanguage}>
        {languages.map((code) => (
          <option key={code} value={code}>
            {nameLanguage(code)}
          </option>
        ))}
      </InlineChoice>
      <Loaded query={query}>
        {({ letters }) => (
          <Table
            caption={t('title')}
            rows={letters.filter((one) => one.language === language)}
            rowKey={({ letter }) => letter}
            columns={columns}
          />
        )}
      </Loaded>
      {open && <LetterDialog eventId={eventId} letter={open} canEdit={canEdit} onClose={() => setOpen(null)} />}
    </>
  )
}

function LetterDialog({ eventId, letter: opened, canEdit, onClose }: DialogProps) {
  const [letter, setLetter] = useState(opened)
  const [draft, setDraft] = useState({ subject: opened.subject, text: opened.text })
  const [isPreview, setPreview] = useState(!canEdit)
  const [problem, setProblem] = useState<LetterProblem | null>(null)
  const save = useMutation({
    mutationFn: (body: typeof draft | null) => sendText(eventId, letter, body),
    onSuccess: async (saved) => {
      setLetter(saved)
      setDraft({ subject: saved.subject, text: saved.text })
      await queries.invalidateQueries({ queryKey: ['letters'] })
      showNotice(t('saved'))
    },
  })
  const isDirty = draft.subject !== letter.subject || draft.text !== letter.text
  /** Calls `next` when the text is saved. */
  const submit = (next: () => void) => {
    const found = findLetterProblem(letter.letter, draft)
    setProblem(found)
    if (found) return
    if (isDirty) save.mutate(draft, { onSuccess: next })
    else next()
  }
  const showPreview = () => (canEdit ? submit(() => setPreview(true)) : setPreview(true))
  const close = async () => {
    const question = { title: t('closeTitle'), text: t('closeText'), action: t('closeAnyway') }
    if (!isDirty || (await confirm(question))) onClose()
  }
  const errorOf = (field: LetterProblem['field']) => (problem?.field === field ? describeProblem(problem) : null)
  return (
    <Dialog title={t(`name_${letter.letter}`)} isOpen isWide onClose={close}>
      <fieldset className="mail-states">
        <legend className="heard">{t('shown')}</legend>
        <Chip isOn={!isPreview} onClick={() => setPreview(false)}>
          {t('asText')}
        </Chip>
        <Chip isOn={isPreview} onClick={showPreview}>
          {t('preview')}
        </Chip>
      </fieldset>
      {isPreview ? (
        <iframe
          className="mail-picture"
          title={t('preview')}
          src={previewPath(eventId, letter)}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      ) : (
        <form
          className="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            submit(onClose)
          }}
        >
          <TextField
            label={t('subject')}
            lang={letter.language}
            maxLength={200}
            readOnly={!canEdit}
            value={draft.subject}
            onChange={({ target }) => setDraft({ ...draft, subject: target.value })}
            errorText={errorOf('subject')}
          />
          <TextArea
            label={t('text')}
            lang={letter.language}
            help={t('textHelp', {
              variables: formatList(letter.variables.map(inBraces)),
              blocks: formatList(letter.blocks.map(inBraces)),
            })}
            rows={14}
            maxLength={5000}
            readOnly={!canEdit}
            value={draft.text}
            onChange={({ target }) => setDraft({ ...draft, text: target.value })}
            errorText={errorOf('text')}
          />
          {save.isError && (
            <p className="wrong" role="alert">
              {errorMessage(save.error)}
            </p>
          )}
          {canEdit && (
            <Buttons isAtEnd>
              {letter.is_own && (
                <Button isBusy={save.isPending} onClick={() => save.mutate(null)}>
                  {t(eventId === null ? 'restore' : 'restoreOfEvent')}
                </Button>
              )}
              <Button type="submit" kind="primary" isBusy={save.isPending} disabled={!isDirty}>
                {t('save')}
              </Button>
            </Buttons>
          )}
        </form>
      )}
    </Dialog>
  )
}

const inBraces = (name: string): string => `{${name}}`

const describeProblem = ({ kind, variable, allowed }: LetterProblem): string =>
  t(`wrong_${kind}`, { variable: inBraces(variable), allowed: formatList(allowed.map(inBraces)) })
