import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api, unwrap } from '../../api/api.ts'
import { translator } from '../../app/language.ts'
import { useHasPermission } from '../../app/me.ts'
import { Button, Buttons, buttonClass } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { formatNumber, formatTime } from '../../components/format-time.ts'
import { Loading } from '../../components/loaded.tsx'
import { showError, showNotice } from '../../components/notices.tsx'
import { galleryMailQuery } from '../../events/mail/gallery-mail.tsx'
import { erasedText, findRetryObstacle } from '../../events/mail/mail-retry.ts'
import { MailToPaste } from '../../events/mail/resend-dialog.tsx'
import type { Mail } from './mail-query.ts'
import { MailState } from './mail-table.tsx'

const t = translator('health')

type Props = { mail: Mail; isConfigured: boolean; onClose: () => void }

/** The service masks the credential in the text of a mail. */
export function MailDialog({ mail, isConfigured, onClose }: Props) {
  const obstacle = findRetryObstacle(mail, isConfigured)
  const canRetry = useHasPermission()('settings.edit')
  return (
    <Dialog title={mail.subject} isOpen onClose={onClose} isWide>
      <div className="stack">
        <Facts mail={mail} />
        {obstacle === null || obstacle === 'notStuck' ? <MailBody mail={mail} /> : <UnsendableMail mail={mail} />}
        {obstacle !== null && obstacle !== 'notStuck' && <p className="quiet-text">{t(`noRetry_${obstacle}`)}</p>}
        <Buttons isAtEnd>
          {mail.event_id !== null && (
            <Link to="/events/$eventId/share" params={{ eventId: String(mail.event_id) }} className={buttonClass()}>
              {t('toEvent')}
            </Link>
          )}
          {obstacle === null && canRetry && <Retry mail={mail} />}
        </Buttons>
      </div>
    </Dialog>
  )
}

/** A mail about a gallery that cannot be sent can be pasted, with the current link and the password if it is stored. */
function UnsendableMail({ mail }: { mail: Mail }) {
  const { kind, event_id: eventId } = mail
  const canEdit = useHasPermission()('events.edit')
  const { data, isLoading } = useQuery({
    ...galleryMailQuery(eventId ?? 0),
    enabled: kind === 'gallery_created' && eventId !== null && canEdit,
  })
  if (isLoading) return <Loading />
  if (!data || eventId === null) return <MailBody mail={mail} />
  return (
    <>
      <p className="quiet-text">{t('pasteMail')}</p>
      <MailToPaste eventId={eventId} mail={data} />
    </>
  )
}

function Retry({ mail: { id } }: { mail: Mail }) {
  const queries = useQueryClient()
  const retry = useMutation({
    mutationFn: () => unwrap(api.POST('/api/admin/mail/outbox/{mail_id}/retry', { params: { path: { mail_id: id } } })),
    onSuccess: () => showNotice(t('retried')),
    onError: showError,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['mail'] }),
        queries.invalidateQueries({ queryKey: ['health'] }),
      ]),
  })
  return (
    <Button kind="primary" icon="send" isBusy={retry.isPending} onClick={() => retry.mutate()}>
      {t('retryMail')}
    </Button>
  )
}

function MailBody({ mail: { id, text } }: { mail: Mail }) {
  const [isHtml, setHtml] = useState(false)
  return (
    <>
      <fieldset className="mail-states">
        <legend className="heard">{t('mailShown')}</legend>
        <Chip isOn={!isHtml} onClick={() => setHtml(false)}>
          {t('asText')}
        </Chip>
        <Chip isOn={isHtml} onClick={() => setHtml(true)}>
          {t('asSeen')}
        </Chip>
      </fieldset>
      {isHtml ? (
        <iframe
          className="mail-picture"
          title={t('asSeen')}
          src={`/api/admin/mail/outbox/${id}/html`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
        />
      ) : (
        <>
          <section className="mail-text" aria-label={t('mailText')} dir="auto">
            {text}
          </section>
          {!text.includes(erasedText) && (
            <div>
              <CopyButton text={text} />
            </div>
          )}
        </>
      )}
    </>
  )
}

const Facts = ({ mail }: { mail: Mail }) => (
  <dl className="mail-facts">
    <Fact name={t('mailTo')}>
      <span dir="auto">{mail.to}</span>
    </Fact>
    <Fact name={t('mailKind')}>{t(`kind_${mail.kind}`)}</Fact>
    <Fact name={t('mailState')}>
      <MailState mail={mail} />
    </Fact>
    <Fact name={t('mailAt')}>{formatTime(mail.created_at)}</Fact>
    {mail.sent_at && <Fact name={t('mailSentAt')}>{formatTime(mail.sent_at)}</Fact>}
    {mail.next_attempt_at && <Fact name={t('mailNextAt')}>{formatTime(mail.next_attempt_at)}</Fact>}
    {mail.attempts > 0 && <Fact name={t('mailAttempts')}>{formatNumber(mail.attempts)}</Fact>}
    {mail.last_error && (
      <Fact name={t('mailError')}>
        <span className="mail-error">{mail.last_error}</span>
      </Fact>
    )}
  </dl>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
