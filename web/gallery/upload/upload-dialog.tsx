import './upload-dialog.css'
import { effect, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { NameForm } from '../guest/name-form.tsx'
import { guestName } from '../marks/guest-name.ts'
import { showNotice } from '../parts/notices.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { showInPlace } from '../parts/show-in-place.ts'
import { page, t } from '../state/page.ts'
import { whenLeft } from '../state/way-back.ts'
import { ChooseFiles } from './choose-files.tsx'
import { NameField, typedName } from './name-field.tsx'
import { stayAwake } from './stay-awake.ts'
import { UploadProgress } from './upload-progress.tsx'
import { locationMessage, UploadReport } from './upload-report.tsx'
import { UploadRows } from './upload-rows.tsx'
import { reportMessage } from './upload-words.ts'
import { addFiles, bringName, entries, isUnderWay, repeated, report, totals } from './uploader.ts'

const isOpen = signal(false)
const isRead = signal(false)
let isThere = false

/** The upload continues when the dialog is closed; `openDialog` opens it again. */
export function startUpload(files: readonly File[], openDialog: () => void): void {
  if (!isThere) {
    isThere = true
    stayAwake()
    notifyAtEnd()
    showInPlace(<Pill openDialog={openDialog} />)
  }
  if (files.length > 0) bring(files)
}

/** Files that wait until the guest gives the required name. */
let waiting: readonly File[] = []

const needsName = (): boolean => page.feedback.require_guest_name && !guestName.value

function bring(files: readonly File[]): void {
  if (needsName()) {
    waiting = [...waiting, ...files]
    return
  }
  const name = typedName.peek().trim()
  typedName.value = ''
  if (name) void bringName(name)
  isRead.value = false
  addFiles(files)
}

function bringWaiting(): void {
  const files = waiting
  waiting = []
  if (files.length > 0) bring(files)
}

/** Shows the progress while the dialog is closed. */
function Pill({ openDialog }: { openDialog: () => void }) {
  const { refused, failed } = report.value
  if (isOpen.value || (!isUnderWay.value && (isRead.value || refused + failed === 0))) return null
  const { added, files } = totals.value
  return (
    <button type="button" class="bring-pill" onClick={openDialog}>
      {isUnderWay.value
        ? t('uploadPill', { added, total: files })
        : t('uploadPillReasons', { count: refused + failed })}
    </button>
  )
}

function noteOpen(): () => void {
  isOpen.value = true
  return noteClosed
}

function noteClosed(): void {
  isOpen.value = false
  const { added, hidden } = report.peek()
  // A page that was loaded without photos has no grid for the first ones.
  const hasNoGrid = document.getElementById('tools') === null
  if (hasNoGrid && !page.event.hidden_until_reveal && added > hidden && !isUnderWay.peek()) {
    whenLeft(() => location.reload())
  }
}

export function UploadDialog({ onClose }: { onClose: () => void }) {
  const hasEntries = entries.value.length > 0
  useEffect(noteOpen, [])
  if (needsName()) {
    return (
      <Sheet key="name" title={t('uploadTitle')} onClose={onClose}>
        <NameForm why={t('uploadNameWanted')} saveWord={t('next')} onSaved={bringWaiting} onCancel={onClose} />
      </Sheet>
    )
  }
  return (
    <Sheet key="files" title={t('uploadTitle')} onClose={onClose} isWide={hasEntries}>
      <div class="bring">
        {!hasEntries && !guestName.value && <NameField />}
        {isUnderWay.value && <UploadProgress />}
        {hasEntries && !isUnderWay.value && <UploadReport />}
        <UploadRows />
        <ChooseFiles isFirst={!hasEntries} onChosen={bring} />
        {!hasEntries && <p class="bring-quiet">{t('uploadNote')}</p>}
        {hasEntries && !isUnderWay.value && <Done onClose={onClose} />}
      </div>
    </Sheet>
  )
}

/** The next action gets the focus when the upload ends, unless the guest has moved the focus. */
function Done({ onClose }: { onClose: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const dialog = button.current?.closest('dialog')
    const now = document.activeElement
    const isFree = !now || now.matches('body, dialog, input[type="file"], .sheet-head *')
    if (isFree) dialog?.querySelector<HTMLElement>('[data-next]')?.focus()
  }, [])
  const end = () => {
    isRead.value = true
    onClose()
  }
  return (
    <button ref={button} type="button" class="button primary" data-next data-first onClick={end}>
      {t('done')}
    </button>
  )
}

function notifyAtEnd(): void {
  let wasUnderWay = false
  effect(() => {
    const hasEnded = wasUnderWay && !isUnderWay.value
    wasUnderWay = isUnderWay.value
    if (hasEnded && !isOpen.peek()) {
      const { added, hidden, refused, failed } = report.peek()
      const words = reportMessage(t, report.peek(), repeated.peek())
      showNotice(added > 0 ? `${words}. ${locationMessage(hidden)}` : words, { isAlarm: refused + failed > 0 })
    }
  })
}
