import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { errorMessage } from '../../components/error-messages.ts'
import { showNotice } from '../../components/notices.tsx'
import { splitIntoChunks } from '../model/concurrency.ts'
import { maxIdsPerZip, startDownload, zipUrl } from './download-photos.ts'

const t = translator('photos')

export async function saveZip(eventId: number, query: Record<string, string>): Promise<void> {
  try {
    await startDownload(eventId, zipUrl(eventId, query))
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
    description={t('downloadParts', { count: maxIdsPerZip })}
  >
    <div className="stack">
      {splitIntoChunks(ids, maxIdsPerZip).map((chunk, index) => (
        <Button key={chunk[0]} icon="download" onClick={() => saveZip(eventId, { ids: chunk.join(',') })}>
          {t('downloadPart', { part: index + 1, count: chunk.length })}
        </Button>
      ))}
    </div>
  </Dialog>
)
