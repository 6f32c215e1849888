import { sayIn } from '../desk/language.ts'
import { Table } from '../parts/table.tsx'
import { sinceWords, timeWords } from '../parts/time-words.ts'
import type { Mail } from './mail-query.ts'
import { MailState } from './mail-state.tsx'

const say = sayIn('health')

export const MailTable = ({ mails, onOpen }: { mails: Mail[]; onOpen: (id: number) => void }) => (
  <div className="mail-table">
    <Table
      caption={say('outbox')}
      rows={mails}
      rowKey={({ id }) => id}
      columns={[
        {
          head: say('mailSubject'),
          cell: ({ id, subject, kind, to }) => (
            <div className="mail-subject">
              <button type="button" dir="auto" onClick={() => onOpen(id)}>
                {subject}
              </button>
              <span className="mail-kind">
                {say(`kind_${kind}`)} · <span dir="auto">{to}</span>
              </span>
            </div>
          ),
        },
        {
          head: say('mailState'),
          cell: (mail) => (
            <div className="mail-state">
              <MailState mail={mail} />
              {mail.last_error && <span className="mail-error">{mail.last_error}</span>}
            </div>
          ),
        },
        {
          head: say('mailAt'),
          isExtra: true,
          cell: ({ created_at }) => (
            <time dateTime={created_at} title={timeWords(created_at)}>
              {sinceWords(created_at)}
            </time>
          ),
        },
        { head: say('mailAttempts'), isNumber: true, isExtra: true, cell: ({ attempts }) => attempts },
      ]}
    />
  </div>
)
