import './live-line.css'
import { useEffect, useRef, useState } from 'react'
import type { LiveFeedback } from '../../../contract/live.ts'
import { sayIn } from '../desk/language.ts'
import { digestWords, liveWords } from './live-digest.ts'
import { useLive, useLiveState } from './use-live.ts'

const say = sayIn('proofing')

/** Said aloud at most so often: what happens meanwhile is said in one sentence. */
const saidEveryMs = 8_000

/** Whether the page follows what guests do, and what the last of it was. */
export function LiveLine({ eventId }: { eventId: number }) {
  const state = useLiveState(eventId)
  const [last, setLast] = useState<{ id: number; words: string } | null>(null)
  const aloud = useAloud()
  useLive(eventId, ({ feedback }) => {
    const told = feedback.filter((mark) => liveWords(mark) !== null)
    const newest = told.at(-1)
    if (!newest) return
    setLast({ id: newest.feedback_id, words: liveWords(newest) ?? '' })
    aloud.hear(told)
  })
  return (
    <div className="live-line">
      <span className={`live-state ${state}`}>{say(state === 'away' ? 'liveAway' : 'live')}</span>
      {last && (
        <span key={`${last.id} ${last.words}`} className="live-last" dir="auto">
          {last.words}
        </span>
      )}
      <span className="heard" role="status">
        {aloud.words}
      </span>
    </div>
  )
}

function useAloud(): { words: string; hear: (marks: LiveFeedback[]) => void } {
  const [words, setWords] = useState('')
  const waiting = useRef<LiveFeedback[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const saidAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => () => clearTimeout(timer.current), [])
  const say = () => {
    timer.current = undefined
    saidAt.current = performance.now()
    setWords(digestWords(waiting.current))
    waiting.current = []
  }
  const hear = (marks: LiveFeedback[]) => {
    waiting.current.push(...marks)
    timer.current ??= setTimeout(say, Math.max(500, saidAt.current + saidEveryMs - performance.now()))
  }
  return { words, hear }
}
