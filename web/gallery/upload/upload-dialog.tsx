import './upload-dialog.css'
import { effect, signal } from '@preact/signals'
import { tell } from '../parts/notices.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { showInPlace } from '../parts/show-in-place.ts'
import { say } from '../state/page.ts'
import { ChooseFiles } from './choose-files.tsx'
import { stayAwake } from './stay-awake.ts'
import { UploadProgress } from './upload-progress.tsx'
import { UploadReport } from './upload-report.tsx'
import { UploadRows } from './upload-rows.tsx'
import { reportWords } from './upload-words.ts'
import { addFiles, entries, isUnderWay, repeated, report, totals } from './uploader.ts'

const isOpen = signal(false)
let isThere = false

/** Opens it, with files that have been chosen already. */
export function showUpload(files: readonly File[]): void {
  if (!isThere) {
    isThere = true
    stayAwake()
    tellAtEnd()
    showInPlace(() => <Upload />)
  }
  isOpen.value = true
  if (files.length > 0) addFiles(files)
}

/** The guest may look at the photos meanwhile: then a small button says how far it is. */
function Upload() {
  if (isOpen.value) return <UploadDialog />
  const { refused, failed } = report.value
  if (!isUnderWay.value && refused + failed === 0) return null
  const { added, files } = totals.value
  return (
    <button type="button" class="bring-pill" onClick={open}>
      {isUnderWay.value
        ? say('uploadPill', { added, total: files })
        : say('uploadPillReasons', { count: refused + failed })}
    </button>
  )
}

const open = () => {
  isOpen.value = true
}
const close = () => {
  isOpen.value = false
  const { added, hidden } = report.peek()
  // Where there was nothing to choose from, the page stayed as it came: it has no grid for the first photos.
  const hasNoGrid = document.getElementById('tools') === null
  if (hasNoGrid && added > hidden && !isUnderWay.peek()) location.reload()
}

function UploadDialog() {
  const hasEntries = entries.value.length > 0
  return (
    <Sheet title={say('uploadTitle')} onClose={close} isWide={hasEntries}>
      <div class="bring">
        {isUnderWay.value && <UploadProgress />}
        {hasEntries && !isUnderWay.value && <UploadReport />}
        <UploadRows />
        <ChooseFiles isFirst={!hasEntries} />
        {!hasEntries && <p class="bring-quiet">{say('uploadNote')}</p>}
      </div>
    </Sheet>
  )
}

/** Where nobody is looking at the dialog. */
function tellAtEnd(): void {
  let wasUnderWay = false
  effect(() => {
    const hasEnded = wasUnderWay && !isUnderWay.value
    wasUnderWay = isUnderWay.value
    if (hasEnded && !isOpen.peek()) {
      const { refused, failed } = report.peek()
      tell(reportWords(say, report.peek(), repeated.peek()), { isAlarm: refused + failed > 0 })
    }
  })
}
