import { translator } from '../../app/language.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { splitIntoChunks } from '../model/concurrency.ts'
import { maxIdsPerZip, saveZip } from './download-photos.ts'

const t = translator('photos')

/** Splits a download of more than `maxIdsPerZip` photos into several ZIP files. */
export const DownloadDialog = ({ eventId, ids, onClose }: { eventId: number; ids: number[]; onClose: () => void }) => (
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
