import '../selections/send-line.css'
import './new-answers.css'
import { computed, effect, signal } from '@preact/signals'
import type { GuestThread, GuestThreadList } from '../../../contract/gallery/threads.ts'
import { openComments, openNotes } from '../comments/open-comments.ts'
import { tileBadge } from '../grid/tile.tsx'
import { Icon } from '../parts/icon.tsx'
import { lines } from '../parts/notices.tsx'
import { isDialogOpen } from '../parts/open-dialog.tsx'
import { call } from '../state/api.ts'
import { getEntryFacts } from '../state/history-layers.ts'
import { t } from '../state/page.ts'
import { openPhoto, shownPhoto } from '../state/shown-photo.ts'
import { findNewAnswer, isUnseen } from '../threads/answer-rules.ts'
import { seenAnswers } from '../threads/seen-answers.ts'
import { onThreadChange } from '../threads/watch-threads.ts'
import { viewerState } from './viewer-state.ts'

/** The own threads in which the photographer has answered. */
const answered = signal<readonly GuestThread[]>([])

/** The one with the oldest answer first. */
const unseen = computed(() =>
  answered.value
    .filter((thread) => isUnseen(thread, seenAnswers.value))
    .toSorted((a, b) => findNewAnswer(a) - findNewAnswer(b)),
)
const unseenPhotos = computed(() => new Set(unseen.value.map(({ photo_id }) => photo_id)))

/** The line returns only for later answers. */
const closedAt = signal(0)

async function load(): Promise<void> {
  const { threads } = await call<typeof GuestThreadList>('/threads?answered=true&limit=100')
  answered.value = threads
}

function NewAnswers() {
  const count = unseen.value.length
  const last = unseen.value.at(-1)
  if (!last || findNewAnswer(last) <= closedAt.value) return null
  const close = () => {
    closedAt.value = findNewAnswer(last)
  }
  return (
    <p class="waiting send-line new-answers">
      <span>{t('answersNew', { count })}</span>
      <button type="button" class="link" onClick={showFirst}>
        {t('answersShow')}
      </button>
      <button type="button" class="round" aria-label={t('close')} onClick={close}>
        <Icon name="close" />
      </button>
    </p>
  )
}

const AnswerBadge = ({ photoId }: { photoId: number }) =>
  unseenPhotos.value.has(photoId) && (
    <span class="badge new-answer" role="img" aria-label={t('answerNew')}>
      <Icon name="comment" isFilled />
    </span>
  )

function showFirst(): void {
  const [first] = unseen.peek()
  if (first?.photo_id === null) openNotes(null)
  else if (first) {
    openPhoto(first.photo_id)
    void openThreads(first.photo_id)
  }
}

/** Opens the threads of a photo as soon as the viewer shows it. */
async function openThreads(photoId: number): Promise<void> {
  let end = () => {}
  const isOpen = await new Promise<boolean>((resolve) => {
    end = effect(() => {
      if (shownPhoto.value !== photoId) resolve(false)
      else if (viewerState.value?.photoId === photoId) resolve(true)
    })
  })
  end()
  if (isOpen && !isDialogOpen()) openComments(photoId)
}

/** The link in a mail leads to a photo with an answer. */
function showLinkedThreads(): void {
  const photoId = shownPhoto.peek()
  if (photoId !== null && !getEntryFacts().isPhoto && unseenPhotos.peek().has(photoId)) void openThreads(photoId)
}

const reload = () => load().catch(() => undefined)

lines.value = { ...lines.peek(), answers: NewAnswers }
tileBadge.value = AnswerBadge
effect(() => {
  document.documentElement.classList.toggle('note-answered', unseenPhotos.value.has(null))
})
onThreadChange(reload)
void reload().then(showLinkedThreads)
