import './mail.css'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Schemas, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { Buttons } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { RevealPassword } from '../reveal-password.tsx'
import { erasedText } from './mail-retry.ts'

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
      {withPassword && password === '' && (
        <RevealPassword eventId={eventId} icon="key" label={t('insertPassword')} onRevealed={onPassword} />
      )}
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

/**
 * The mail that is sent when a draft is published. It never has the password. Without a mail server, it is not sent.
 */
export function MailOnPublishing({ eventId }: { eventId: number }) {
  const { data } = useQuery(galleryMailQuery(eventId))
  if (data?.can_send === false) return <p role="alert">{t('publishWithoutMail')}</p>
  return (
    <details>
      <summary>{t('showMail')}</summary>
      {data && <MailText {...data} />}
    </details>
  )
}
