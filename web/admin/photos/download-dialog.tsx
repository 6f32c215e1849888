import { translator } from '../desk/language.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { errorMessage } from '../parts/error-messages.ts'
import { showNotice } from '../parts/notices.tsx'
import { idsOfAZip, save, zipOf } from './download-photos.ts'
import { inPieces } from './in-turns.ts'

const t = translator('photos')

export async function saveZip(eventId: number, asked: Record<string, string>): Promise<void> {
  try {
    await save(eventId, zipOf(eventId, asked))
    showNotice(t('downloadBegins'))
  } catch (error) {
    showNotice(errorMessage(error), { isAlarm: true })
  }
}

type Props = { eventId: number; ids: number[]; onClose: () => void }

/** Splits a download of more photos than one URL can name into several ZIP files. */
export const DownloadDialog = ({ eventId, ids, onClose }: Props) => (
  <Dialog
    isOpen
    onClose={onClose}
    title={t('downloadTitle', { count: ids.length })}
    about={t('downloadParts', { count: idsOfAZip })}
  >
    <div className="stack">
      {inPieces(ids, idsOfAZip).map((piece, index) => (
        <Button key={piece[0]} icon="download" onClick={() => saveZip(eventId, { ids: piece.join(',') })}>
          {t('downloadPart', { part: index + 1, count: piece.length })}
        </Button>
      ))}
    </div>
  </Dialog>
)
