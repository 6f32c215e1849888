import { translator } from '../../app/language.ts'
import { formatRelativeTime, formatTime } from '../../components/format-time.ts'
import { Badge } from '../../components/page.tsx'
import { Table } from '../../components/table.tsx'
import type { Mail } from './mail-query.ts'

const t = translator('health')

const tones = { queued: 'warn', sent: 'good', failed: 'bad', kept: 'plain' } as const

export const MailState = ({ mail: { status } }: { mail: Mail }) => (
  <Badge tone={tones[status]}>{t(`mail_${status}`)}</Badge>
)

export const MailTable = ({ mails, onOpen }: { mails: Mail[]; onOpen: (id: number) => void }) => (
  <div className="mail-table">
    <Table
      caption={t('outbox')}
      rows={mails}
      rowKey={({ id }) => id}
      columns={[
        {
          head: t('mailSubject'),
          cell: ({ id, subject, kind, to }) => (
            <div className="mail-subject">
              <button type="button" dir="auto" onClick={() => onOpen(id)}>
                {subject}
              </button>
              <span className="mail-kind">
                {t(`kind_${kind}`)} · <span dir="auto">{to}</span>
              </span>
            </div>
          ),
        },
        {
          head: t('mailState'),
          cell: (mail) => (
            <div className="mail-state">
              <MailState mail={mail} />
              {mail.last_error && <span className="mail-error">{mail.last_error}</span>}
            </div>
          ),
        },
        {
          head: t('mailAt'),
          isWideOnly: true,
          cell: ({ created_at }) => (
            <time dateTime={created_at} title={formatTime(created_at)}>
              {formatRelativeTime(created_at)}
            </time>
          ),
        },
        { head: t('mailAttempts'), isNumeric: true, isWideOnly: true, cell: ({ attempts }) => attempts },
      ]}
    />
  </div>
)
