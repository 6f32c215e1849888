import './live-line.css'
import { useEffect, useRef, useState } from 'react'
import { translator } from '../desk/language.ts'
import { type LiveActivity, liveSentences, summarizeActivity } from './live-digest.ts'
import { useLive, useLiveState } from './use-live.ts'

const t = translator('proofing')

/** The minimum interval between announcements to screen readers. Later news is collected in one sentence. */
const saidEveryMs = 8_000
const nothing: LiveActivity = { feedback: [], selections: [] }

export function LiveLine({ eventId }: { eventId: number }) {
  const state = useLiveState(eventId)
  const [last, setLast] = useState<{ number: number; words: string } | null>(null)
  const aloud = useAloud()
  useLive(eventId, (news) => {
    const words = liveSentences(news).at(-1)
    if (words === undefined) return
    setLast((before) => ({ number: (before?.number ?? 0) + 1, words }))
    aloud.enqueue(news)
  })
  return (
    <div className="live-line">
      <span className={`live-state ${state}`}>{t(state === 'away' ? 'liveAway' : 'live')}</span>
      {last && (
        <span key={last.number} className="live-last" dir="auto">
          {last.words}
        </span>
      )}
      <span className="heard" role="status">
        {aloud.words}
      </span>
    </div>
  )
}

function useAloud(): { words: string; enqueue: (told: LiveActivity) => void } {
  const [words, setWords] = useState('')
  const waiting = useRef<LiveActivity>(nothing)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const saidAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => () => clearTimeout(timer.current), [])
  const t = () => {
    timer.current = undefined
    saidAt.current = performance.now()
    setWords(summarizeActivity(waiting.current))
    waiting.current = nothing
  }
  const enqueue = ({ feedback, selections }: LiveActivity) => {
    waiting.current = {
      feedback: [...waiting.current.feedback, ...feedback],
      selections: [...waiting.current.selections, ...selections],
    }
    timer.current ??= setTimeout(t, Math.max(500, saidAt.current + saidEveryMs - performance.now()))
  }
  return { words, enqueue }
}
