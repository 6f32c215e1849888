import type { ComponentProps } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { type Decision, decisions } from '../../../contract/gallery/decisions.ts'
import type { GalleryPhoto } from '../../../contract/gallery/gallery.ts'
import type { DecisionBody, GuestVersions } from '../../../contract/gallery/versions.ts'
import { maxNoteLength } from '../../../contract/text-lengths.ts'
import { ApiError } from '../../shared/api-error.ts'
import { createRandomId } from '../../shared/create-random-id.ts'
import { ensureGuestName, guestName } from '../marks/guest-name.ts'
import { errorMessage } from '../parts/error-messages.ts'
import { Icon } from '../parts/icon.tsx'
import { loadWhenReachable } from '../parts/load-when-reachable.ts'
import { namePurpose } from '../parts/name-purpose.ts'
import { showNotice } from '../parts/notices.tsx'
import { openDialog } from '../parts/open-dialog.tsx'
import { call } from '../state/api.ts'
import { page, t } from '../state/page.ts'
import { loadThreads } from '../threads/photo-threads.ts'
import { createDraft } from '../threads/text-draft.ts'
import { chosen, found, isHeld, loadVersions, newest, show, showNewest, shown } from './photo-versions.ts'
import { VersionList } from './version-list.tsx'
import type { Version } from './version-rules.ts'

const loadComments = loadWhenReachable(() => import('../comments/comments.tsx'))

const Pill = ({ class: more = '', ...rest }: ComponentProps<'button'>) => (
  <button type="button" class={`version-button ${more}`} {...rest} />
)

/** The version that is shown, and the decision of the guest, above the other controls of the viewer. */
export function VersionRow({ photo: { id, media_type } }: { photo: GalleryPhoto }) {
  if (!found.value || !newest.value || !shown.value) return null
  const { number: total } = newest.value
  const hasSeveral = found.value.versions.length > 1 && media_type === 'image'
  return (
    <div class={`version-row${hasSeveral ? ' several' : ''}`}>
      {hasSeveral && <VersionControl photoId={id} name={t('versionOf', { number: shown.value.number, total })} />}
      {chosen.value !== null && <Pill onClick={showNewest}>{t('versionShow', { number: total })}</Pill>}
      {chosen.value === null && found.value.can_decide && <Decisions photoId={id} version={newest.value} />}
    </div>
  )
}

/** A shorter press is a tap. */
const holdMs = 200

/** Opens the list of versions. As long as it is held, it shows the version before. */
function VersionControl({ photoId, name }: { photoId: number; name: string }) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const wasHeld = useRef(false)
  const release = () => {
    clearTimeout(timer.current)
    isHeld.value = false
  }
  return (
    <Pill
      class="version-control"
      aria-haspopup="dialog"
      title={t('versionHold')}
      onPointerDown={({ currentTarget, pointerId, button }) => {
        currentTarget.setPointerCapture(pointerId)
        wasHeld.current = false
        timer.current = setTimeout(() => {
          wasHeld.current = isHeld.value = button === 0
        }, holdMs)
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onContextMenu={(event) => event.preventDefault()}
      onClick={({ detail }) => {
        // A click of the keyboard has no count.
        if (detail === 0 || !wasHeld.current) void openDialog(async () => VersionList, { photoId })
      }}
    >
      {name}
    </Pill>
  )
}

/** What a decision is called on its button, after it was made, and in the notice. */
const decisionTexts = {
  approved: ['versionApprove', 'versionApproved', 'versionSentApproved'],
  approved_with_changes: ['versionApproveWithChanges', 'versionApprovedWithChanges', 'versionSentApprovedWithChanges'],
  changes_wanted: ['versionWantChanges', 'versionWantChanges', 'versionSentChangesWanted'],
} as const

/** On phones, and for a photo without earlier versions, one button opens the three. */
function Decisions({ photoId, version }: { photoId: number; version: Version }) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const own = found.value?.decision ?? null
  const icon = own && <Icon name={own === 'changes_wanted' ? 'comment' : 'check'} />
  async function choose(decision: Decision): Promise<void> {
    setOpen(false)
    // Does nothing if the opener is not visible.
    opener.current?.focus({ preventScroll: true })
    if (!(await askName())) return
    if (decision !== own && decision !== 'approved') return openWords(photoId, version, decision)
    const body = { decision: decision === own ? null : decision }
    await send(photoId, version, body, createRandomId()).catch((error) =>
      showNotice(errorMessage(error), { isError: true }),
    )
  }
  return (
    <>
      <Pill ref={opener} class={`version-opens ${own ?? ''}`} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {icon}
        {t(own ? decisionTexts[own][1] : 'versionDecide')}
      </Pill>
      <fieldset class={`version-choices${isOpen ? ' open' : ''}`} aria-label={t('versionDecision')}>
        {decisions.toReversed().map((one) => (
          <Pill key={one} class={one} aria-pressed={one === own} onClick={() => choose(one)}>
            {one === own && icon}
            {t(decisionTexts[one][one === own ? 1 : 0])}
          </Pill>
        ))}
      </fieldset>
    </>
  )
}

/** Resolves to false if the guest gives no name, without which nobody decides. */
async function askName(): Promise<boolean> {
  namePurpose.value = 'decision'
  const hasName = await ensureGuestName(true)
  namePurpose.value = 'picks'
  return hasName
}

/** Asks for the words of a decision, which begin a private thread. What was typed stays until it is sent. */
function openWords(photoId: number, version: Version, decision: Decision): Promise<void> {
  const isOptional = decision !== 'changes_wanted'
  const name = `${page.slug} ${photoId} ${decision}`
  const draft = createDraft(`decision ${name}`, `decision sent ${name}`)
  return openDialog(async () => (await loadComments()).TextDialog, {
    title: t(decisionTexts[decision][0]),
    label: t(isOptional ? 'versionWordsOptional' : 'versionWords'),
    hint: t('noteHint'),
    ...{ maxLength: maxNoteLength, draft, isOptional },
    async write(text: string) {
      const body = { decision, comment: text || null }
      if (await send(photoId, version, body, draft.getKey(`${version.number} ${text}`))) draft.remove()
    },
  })
}

/** Why the guest cannot decide as the page assumed. */
const conflicts: Record<string, 'versionNewer' | 'versionForbidden' | 'versionOff'> = {
  VERSION_NOT_CURRENT: 'versionNewer',
  FORBIDDEN: 'versionForbidden',
  INVALID_STATE: 'versionOff',
}

/** Shows the result. Returns false if the guest cannot decide as the page assumed. Throws ApiError or Unreachable. */
async function send(photoId: number, version: Version, body: DecisionBody, key: string): Promise<boolean> {
  const path = `/photos/${photoId}/versions/${version.number}/decision`
  const headers = { 'idempotency-key': key }
  try {
    const options = { method: 'PUT', body: { ...body, guest_name: guestName.peek() }, headers }
    show(photoId, await call<typeof GuestVersions>(path, options))
    // If it fails, the thread is shown when the list is loaded again.
    if (body.comment) await loadThreads(photoId).catch(() => undefined)
    showNotice(t(body.decision ? decisionTexts[body.decision][2] : 'versionTakenBack'))
    return true
  } catch (error) {
    const message = error instanceof ApiError && conflicts[error.code]
    if (!message) throw error
    await loadVersions(photoId).catch(() => undefined)
    showNewest()
    showNotice(t(message), { isError: true })
    return false
  }
}
