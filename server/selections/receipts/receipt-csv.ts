import { text } from 'node:stream/consumers'
import type { ReceiptQuery, SnapshotPhoto } from '../../../contract/gallery/rounds.ts'
import { type CsvColumn, createCsv } from '../../platform/text/csv.ts'
import type { Translator } from '../../platform/text/messages.ts'
import type { AgreedSelection } from './agreed-selections.ts'
import { groupTexts, nameGuest } from './receipt-texts.ts'

type Column = CsvColumn<SnapshotPhoto> & { key: string }

/** Returns a row for each photo. What concerns the whole selection is in each row. */
export function formatReceiptTable(
  selection: AgreedSelection,
  { t }: Translator<'receipts'>,
  headers: ReceiptQuery['headers'],
): Promise<string> {
  const { snapshot, people, contentSha256 } = selection
  const isForPeople = headers !== 'keys'
  const texts = groupTexts(t, selection)
  const ofAll = (key: string, header: string, value: string | number | null): Column => ({
    key,
    header,
    read: () => value,
  })
  const columns: Column[] = [
    { key: 'source_filename', header: t('fileName'), read: (photo) => photo.source_filename },
    { key: 'rating', header: t('rating'), read: (photo) => photo.rating },
    {
      key: 'color_label',
      header: t('colorLabel'),
      read: ({ color_label: color }) => (color !== null && isForPeople ? t(color) : color),
    },
    { key: 'is_liked', header: t('liked'), read: (photo) => (photo.is_liked ? 1 : 0) },
    { key: 'texts', header: t('texts'), read: ({ id }) => (texts.get(id) ?? []).join('\n') },
    { key: 'photo_id', header: t('photoId'), read: ({ id }) => id },
    { key: 'version', header: t('version'), read: ({ version }) => version },
    { key: 'content_hash', header: t('contentHash'), read: ({ content_hash }) => content_hash },
    ofAll('event_name', t('event'), snapshot.event_name),
    ofAll('guest_name', t('guest'), isForPeople ? nameGuest(t, selection) : (people?.guest_name ?? null)),
    ofAll('round', t('round'), snapshot.round),
    ofAll('submitted_at', t('sentAt'), snapshot.submitted_at),
    ofAll('count', t('total'), snapshot.photos.length),
    ofAll('included', t('included'), snapshot.included),
    ofAll('extra_count', t('extras'), snapshot.extra_count),
    ofAll('extra_text', t('extraText'), snapshot.extra_text),
    ofAll('note', t('note'), people?.note ?? null),
    ofAll('content_sha256', t('hash'), contentSha256),
  ]
  const shown = columns.map(({ key, header, read }) => ({ header: isForPeople ? header : key, read }))
  return text(createCsv(shown, snapshot.photos))
}
