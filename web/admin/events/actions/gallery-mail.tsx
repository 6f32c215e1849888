import '../../health/mail.css'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { Button, Buttons } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { showError } from '../../components/notices.tsx'
import { erasedText } from '../../health/mail-retry.ts'
import { rememberPassword } from '../known-passwords.ts'

const t = translator('events')

/** Never stale: the link, the password and the fact that it was sent can change elsewhere. */
export const galleryMailQuery = (eventId: number) =>
  queryOptions({
    queryKey: ['mail', 'gallery', eventId],
    queryFn: ({ signal }) => {
      const params = { path: { event_id: eventId } }
      return unwrap(api.GET('/api/admin/events/{event_id}/gallery-email', { params, signal }))
    },
    gcTime: 0,
    retry: false,
  })

type Props = {
  eventId: number
  mail: Schemas['GalleryMail']
  /** Empty for a mail without the password. */
  password: string
  onPassword: (password: string) => void
}

/** The mail as it will be sent, to read, or to paste into another program. */
export function GalleryMail({ eventId, mail, password, onPassword }: Props) {
  const { subject, text_with_password: withPassword } = mail
  const text = withPassword && password !== '' ? withPassword.replace(erasedText, () => password) : mail.text
  return (
    <>
      {withPassword && password === '' && <StoredPassword eventId={eventId} onPassword={onPassword} />}
      <MailText subject={subject} text={text} />
      <Buttons>
        <CopyButton text={subject} label={t('copySubject')} />
        <CopyButton text={text} label={t('copyMail')} />
      </Buttons>
    </>
  )
}

const MailText = ({ subject, text }: Pick<Props['mail'], 'subject' | 'text'>) => (
  <section className="mail-text" aria-label={t('mailPreview')} dir="auto">
    <strong>{subject}</strong>
    {`\n\n${text}`}
  </section>
)

/** The mail that publishing a draft sends. It never has the password. */
export function MailOnPublishing({ eventId }: { eventId: number }) {
  const { data } = useQuery(galleryMailQuery(eventId))
  return (
    <details>
      <summary>{t('showMail')}</summary>
      {data && <MailText {...data} />}
    </details>
  )
}

/** Requests the password only when the operator wants it in the mail, because each request is recorded. */
function StoredPassword({ eventId, onPassword }: Pick<Props, 'eventId' | 'onPassword'>) {
  const reveal = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/api/admin/events/{event_id}/reveal-password', { params: { path: { event_id: eventId } } })),
    onSuccess: ({ password }) => {
      if (password === null) return
      rememberPassword(eventId, password)
      onPassword(password)
    },
    onError: showError,
  })
  if (reveal.data?.password === null) return <p role="status">{t('passwordNotStored')}</p>
  return (
    <div>
      <Button icon="key" isBusy={reveal.isPending} onClick={() => reveal.mutate()}>
        {t('insertPassword')}
      </Button>
    </div>
  )
}
