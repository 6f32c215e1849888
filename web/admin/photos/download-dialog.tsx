import { sayIn } from '../desk/language.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { wordsOf } from '../parts/error-messages.ts'
import { tell } from '../parts/notices.tsx'
import { idsOfAZip, save, zipOf } from './download-photos.ts'
import { inPieces } from './in-turns.ts'

const say = sayIn('photos')

export async function saveZip(eventId: number, asked: Record<string, string>): Promise<void> {
  try {
    await save(eventId, zipOf(eventId, asked))
    tell(say('downloadBegins'))
  } catch (error) {
    tell(wordsOf(error), { isAlarm: true })
  }
}

type Props = { eventId: number; ids: number[]; onClose: () => void }

/** Splits a download of more photos than one URL can name into several ZIP files. */
export const DownloadDialog = ({ eventId, ids, onClose }: Props) => (
  <Dialog
    isOpen
    onClose={onClose}
    title={say('downloadTitle', { count: ids.length })}
    about={say('downloadParts', { count: idsOfAZip })}
  >
    <div className="stack">
      {inPieces(ids, idsOfAZip).map((piece, index) => (
        <Button key={piece[0]} icon="download" onClick={() => saveZip(eventId, { ids: piece.join(',') })}>
          {say('downloadPart', { part: index + 1, count: piece.length })}
        </Button>
      ))}
    </div>
  </Dialog>
)
