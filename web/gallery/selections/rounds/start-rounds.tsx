import './rounds.css'
import { effect, untracked } from '@preact/signals'
import { hydrate } from 'preact'
import { useEffect } from 'preact/hooks'
import type { SelectionReply } from '../../../../contract/gallery/selections.ts'
import { formatRoundCount, formatRoundHint, isRoundSent } from '../../../../locales/describe-round.ts'
import { readStored, writeStored } from '../../../shared/browser-storage.ts'
import { createFilterQuery, navigateToQuery } from '../../filters/navigate-to-query.ts'
import { guestId, lockedMarks } from '../../marks/own-marks.ts'
import { type RoundHooks, roundHooks } from '../../marks/round-hooks.ts'
import { showNotice } from '../../parts/notices.tsx'
import { isDialogOpen } from '../../parts/open-dialog.tsx'
import { page, pickFilter, readerLocale, t } from '../../state/page.ts'
import { asked, counts } from '../../state/photos.ts'
import { shownPhoto } from '../../state/shown-photo.ts'
import { openSetAsideSheet } from './open-sheets.ts'
import { confirmRevision, ownRound, reloadPicks, reloadRound, watchRevision } from './own-round.ts'
import { RoundBar } from './round-bar.tsx'
import { countMissing, findMarkProblem, getRoom } from './round-rules.ts'
import { loadSetAside, setAsideMarks } from './set-aside.ts'

/** Takes over the bar of picks of an event with a package. `startedQueue`: resolves when stored marks are shown. */
export function startRounds(bar: HTMLElement, startedQueue: Promise<void>): void {
  hydrate(<RoundBar />, bar)
  roundHooks.value = { allowsMark, explain, findSendProblem, Terms, confirmRevision, recordSent }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void reloadRound().then(loadSetAside)
  })
  let wasSent = false
  effect(() => {
    const round = ownRound.value
    const isSent = round !== null && isRoundSent(round)
    document.documentElement.classList.toggle('picks-locked', isSent)
    if (round?.state === 'reopened') untracked(() => showPicksOnce(round.number))
    if (round?.state === 'reopened' && wasSent) showNotice(t('roundOpened'))
    wasSent = isSent
    if (!isSent) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void reloadRound(), sentReloadMs)
    return () => clearInterval(timer)
  })
  void startedQueue.then(loadSetAside).then(() => {
    effect(offerSetAside)
    effect(() => {
      if (lockedMarks.value.length > 0) untracked(() => void Promise.all([loadSetAside(), reloadRound()]))
    })
  })
}

/** How soon an open page notices that sent picks are open again. */
const sentReloadMs = 60_000

/** At the first sight of a round that was opened again, only the picks are shown. */
function showPicksOnce(number: number | undefined): void {
  const key = `round ${page.slug} ${guestId}`
  if (readStored('localStorage', key) === String(number) || shownPhoto.peek() !== null) return
  writeStored('localStorage', key, String(number))
  if (asked.peek().filter !== pickFilter) navigateToQuery(createFilterQuery({ filter: pickFilter }))
}

const offeredStorageKey = `set aside ${page.slug} ${guestId}`
let offered = readStored('localStorage', offeredStorageKey)

/** Lists what was set aside once when it happens, and once when the picks are open again. */
function offerSetAside(): void {
  const round = ownRound.value
  const newest = setAsideMarks.value.at(-1)
  if (!round || !newest || isDialogOpen()) return
  const occasion = `${newest.id} ${round.number}`
  if (offered === occasion || (isRoundSent(round) && offered?.startsWith(newest.id))) return
  offered = occasion
  writeStored('localStorage', offeredStorageKey, occasion)
  untracked(openSetAsideSheet)
}

const allowsMark: RoundHooks['allowsMark'] = (mark, times = 1) => {
  const round = ownRound.peek()
  const count = counts.peek().favorited
  const problem = round && findMarkProblem(round, count, mark, times)
  if (!round || problem === null) return true
  const room = getRoom(round, count)
  if (problem === 'locked') showNotice(t('picksLocked'))
  else showNotice(room > 0 ? t('roundLimitMany', { count: room }) : t('roundLimit', { count: round.maximum ?? 0 }))
  return false
}

function explain(code: string): string | null {
  const round = ownRound.peek()
  const count = counts.peek().favorited
  if (code.startsWith('SELECTION_')) void reloadRound()
  if (code === 'SELECTION_CHANGED') {
    reloadPicks().catch(() => undefined)
    return t('roundChangedElsewhere')
  }
  if (code !== 'SELECTION_TOO_SMALL' && code !== 'SELECTION_LIMIT_REACHED') return null
  if (code === 'SELECTION_LIMIT_REACHED' && round?.maximum === count) return t('roundLimit', { count })
  return findSendProblem() ?? t('roundTermsChanged')
}

function findSendProblem(): string | null {
  const round = ownRound.value
  const missing = round ? countMissing(round, counts.value.favorited) : 0
  if (missing === 0) return null
  return missing > 0 ? t('roundTooFew', { count: missing }) : t('roundTooMany', { count: -missing })
}

function recordSent(reply: SelectionReply | null): void {
  const round = ownRound.peek()
  if (round && reply?.state) ownRound.value = { ...round, state: reply.state }
  void reloadRound()
}

/** What the picks come to, and what happens when they are sent. */
function Terms() {
  useEffect(() => void watchRevision(), [])
  const round = ownRound.value
  if (round === null) return null
  const count = counts.value.favorited
  const problem = findSendProblem()
  const hint = formatRoundHint(
    t,
    { ...round, minimum: 0 },
    { count, locale: readerLocale, now: Date.now(), showsDueDate: true },
  )
  return (
    <p role="status">
      {formatRoundCount(t, round, count)}
      {hint && ` · ${hint}`}
      <br />
      {problem ? <strong>{problem}</strong> : t(round.locks_on_submission ? 'roundThenLocked' : 'roundThenAccepted')}
    </p>
  )
}
