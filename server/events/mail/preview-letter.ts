import type { LetterName, LetterRecord } from '../../../contract/instance/letters.ts'
import { sharePath } from '../../../contract/share-path.ts'
import { formatPhotoCount } from '../../../locales/format-photo-count.ts'
import { type ComposedMail, composeMail, insertCredential, maskedCredential } from '../../platform/mail/letter.ts'
import { days } from '../../platform/time/clock.ts'
import type { AppContext } from '../../settings/app-context.ts'
import type { EventRow } from '../event-rows.ts'
import { neverExpires } from '../event-rules.ts'
import { describeSubscription } from './event-letters.ts'
import { loadLetterhead } from './event-mail.ts'
import { describeDifference, describeNumbers, describeRound, type SentRound } from './round-blocks.ts'
import { fillLetter, formatMailDay, getCommonParts, translateMail } from './write-letter.ts'

const examplePath = '/example'

const exampleNumbers = { purpose: 'Album', included: 20, minimum: 0, maximum: 30, extra_text: '12 €', due_on: null }
const examplePhoto = { id: 1, source_filename: 'DSC_0001.jpg', rating: null, color_label: null, is_liked: false }
const exampleRound: SentRound = {
  purpose: 'Album',
  number: 2,
  count: 23,
  videoCount: 0,
  extraCount: 3,
  extraText: '12 €',
  difference: {
    from: { number: 1, count: 22 },
    to: { number: 2, count: 23 },
    added: [examplePhoto],
    removed: [],
    changed: [],
  },
  receiptPath: examplePath,
}

/** Composes a mail with its text. Values that are known only when it is sent are examples; a password is masked. */
export async function previewLetter(
  ctx: AppContext,
  { letter, language, subject, text, variables }: LetterRecord,
  event: EventRow | null,
): Promise<ComposedMail> {
  const head = { ...(await loadLetterhead(ctx)), language }
  const t = translateMail(head)
  const hasName = variables.includes('name') || variables.includes('username')
  const { values, blocks } = getCommonParts(head, hasName ? (event?.customer_name ?? t('exampleName')) : null)
  const isEndless = event?.expires_at === neverExpires
  const expiresAt = event && !isEndless ? event.expires_at : ctx.clock.now() + days(30)
  const date = formatMailDay(head, expiresAt)
  const filled = fillLetter(
    head,
    { subject, text },
    {
      values: {
        ...values,
        event: event?.event_name ?? t('exampleEvent'),
        date,
        guest: t('exampleGuest'),
        number: 1,
        photos: formatPhotoCount(t, 2, 0),
        username: t('exampleName'),
      },
      blocks: {
        ...blocks,
        link: [
          {
            button: t(buttonKeys[letter] ?? 'openGallery'),
            url: head.origin + (event ? sharePath(event) : examplePath),
          },
        ],
        password: event?.require_password === 0 ? [] : [{ credential: t('password') }],
        expiry: isEndless ? [] : [{ paragraph: [t('openUntil', { date })] }],
        requests: [
          { paragraph: ['IMG_1234.CR3'] },
          {
            paragraph: [
              t('said', { name: t('exampleGuest'), text: t('exampleRequest') }),
              t('said', { name: head.studioName || t('photographer'), text: t('exampleAnswer') }),
            ],
          },
        ],
        subscription: describeSubscription(t, {
          [letter === 'first_look_asked' ? 'confirm' : 'unsubscribe']: head.origin + examplePath,
        }),
        message: [{ paragraph: [t('message', { text: t('exampleMessage') })] }],
        round: [describeRound(t, exampleRound)],
        difference: describeDifference(t, exampleRound),
        numbers: [describeNumbers(head, exampleNumbers)],
        files: [{ paragraph: [t('namesOfPhotos', { names: 'DSC_0001.jpg, DSC_0002.jpg' })] }],
      },
    },
  )
  return insertCredential(composeMail(filled), maskedCredential)
}

const buttonKeys: Partial<Record<LetterName, 'openPicks' | 'openReceipt' | 'openRequests' | 'choosePassword'>> = {
  selection_submitted: 'openPicks',
  reopening_asked: 'openPicks',
  selection_sent: 'openReceipt',
  thread_asked: 'openRequests',
  account_invite: 'choosePassword',
  password_reset: 'choosePassword',
}
