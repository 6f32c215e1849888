import { keepAwake } from '../../shared/uploads/keep-awake.ts'
import './upload-dialog.css'
import { effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { NameForm } from '../guest/name-dialog.tsx'
import { guestName } from '../marks/guest-name.ts'
import { showNotice } from '../parts/notices.tsx'
import { mountAtEnd } from '../parts/open-dialog.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { whenLayersLeft } from '../state/history-layers.ts'
import { page, t } from '../state/page.ts'
import { ChooseFiles } from './choose-files.tsx'
import { NameField, typedName } from './name-field.tsx'
import { reportMessage } from './upload-labels.ts'
import { UploadProgress } from './upload-progress.tsx'
import { locationMessage, UploadReport } from './upload-report.tsx'
import { UploadRows } from './upload-rows.tsx'
import { addFiles, entries, isInProgress, repeated, report, sendName, totals } from './uploader.ts'

const isOpen = signal(false)
const isReportClosed = signal(false)
let isMounted = false

/** The upload continues when the dialog is closed. `openDialog` opens the dialog again. */
export function startUpload(files: readonly File[], openDialog: () => void): void {
  if (!isMounted) {
    isMounted = true
    keepAwakeWhileUploading()
    notifyAtEnd()
    mountAtEnd(<UploadPill openDialog={openDialog} />)
  }
  if (files.length > 0) uploadFiles(files)
}

/** Files that wait until the guest gives the required name. */
let pendingFiles: readonly File[] = []

const needsName = (): boolean => page.feedback.require_guest_name && !guestName.value

function uploadFiles(files: readonly File[]): void {
  if (needsName()) {
    pendingFiles = [...pendingFiles, ...files]
    return
  }
  const name = typedName.peek().trim()
  typedName.value = ''
  if (name) void sendName(name)
  isReportClosed.value = false
  addFiles(files)
}

function uploadPending(): void {
  const files = pendingFiles
  pendingFiles = []
  if (files.length > 0) uploadFiles(files)
}

/** While the dialog is closed, shows the progress, and later how many files were not added. */
function UploadPill({ openDialog }: { openDialog: () => void }) {
  const { rejected, failed } = report.value
  if (isOpen.value || (!isInProgress.value && (isReportClosed.value || rejected + failed === 0))) return null
  const { done, files } = totals.value
  return (
    <button type="button" class="bring-pill" onClick={openDialog}>
      {isInProgress.value
        ? t('uploadPill', { added: done, total: files })
        : t('uploadPillReasons', { count: rejected + failed })}
    </button>
  )
}

function handleOpen(): () => void {
  isOpen.value = true
  return handleClose
}

function handleClose(): void {
  isOpen.value = false
  const { added, hidden } = report.peek()
  // A page that was loaded without photos has no grid for the added photos, so it is reloaded.
  const hasNoGrid = document.getElementById('tools') === null
  if (hasNoGrid && !page.event.hidden_until_reveal && added > hidden && !isInProgress.peek()) {
    whenLayersLeft(() => location.reload())
  }
}

export function UploadDialog({ onClose }: { onClose: () => void }) {
  const hasEntries = entries.value.length > 0
  useEffect(handleOpen, [])
  if (needsName()) {
    return (
      <Sheet key="name" title={t('uploadTitle')} onClose={onClose}>
        <NameForm
          explanation={t('uploadNameWanted')}
          saveLabel={t('next')}
          onSaved={uploadPending}
          onCancel={onClose}
        />
      </Sheet>
    )
  }
  return (
    <Sheet key="files" title={t('uploadTitle')} onClose={onClose} isWide={hasEntries}>
      <div class="bring">
        {!hasEntries && !guestName.value && <NameField />}
        {isInProgress.value && <UploadProgress />}
        {hasEntries && !isInProgress.value && <UploadReport />}
        <UploadRows />
        <ChooseFiles isFirst={!hasEntries} onChosen={uploadFiles} />
        {!hasEntries && <p class="bring-quiet">{t('uploadNote')}</p>}
        {hasEntries && !isInProgress.value && <DoneButton onClose={onClose} />}
      </div>
    </Sheet>
  )
}

/** When the upload ends, focuses the element with `data-next`, unless the guest has moved the focus. */
function DoneButton({ onClose }: { onClose: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const dialog = button.current?.closest('dialog')
    const now = document.activeElement
    const canMoveFocus = !now || now.matches('body, dialog, input[type="file"], .sheet-head *')
    if (canMoveFocus) dialog?.querySelector<HTMLElement>('[data-next]')?.focus()
  }, [])
  const end = () => {
    isReportClosed.value = true
    onClose()
  }
  return (
    <button ref={button} type="button" class="button primary" data-next data-first onClick={end}>
      {t('done')}
    </button>
  )
}

function notifyAtEnd(): void {
  let wasInProgress = false
  effect(() => {
    const hasEnded = wasInProgress && !isInProgress.value
    wasInProgress = isInProgress.value
    if (hasEnded && !isOpen.peek()) {
      const { added, hidden, rejected, failed } = report.peek()
      const words = reportMessage(t, report.peek(), repeated.peek())
      showNotice(added > 0 ? `${words}. ${locationMessage(hidden)}` : words, { isError: rejected + failed > 0 })
    }
  })
}

function keepAwakeWhileUploading(): void {
  effect(() => keepAwake(isInProgress.value))
}
