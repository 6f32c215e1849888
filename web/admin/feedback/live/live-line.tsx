import './live-line.css'
import { useEffect, useRef, useState } from 'react'
import { translator } from '../../app/language.ts'
import { describeActivity, type LiveActivity, summarizeActivity } from './live-summary.ts'
import { useLive, useLiveState } from './use-live.ts'

const t = translator('feedback')

/** The minimum interval between announcements to screen readers. Activity in between joins the next announcement. */
const announceIntervalMs = 8_000
const nothing: LiveActivity = { feedback: [], selections: [], decisions: [] }

export function LiveLine({ eventId }: { eventId: number }) {
  const state = useLiveState(eventId)
  const [last, setLast] = useState<{ number: number; message: string } | null>(null)
  const announcer = useAnnouncer()
  useLive(eventId, (update) => {
    const message = describeActivity(update).at(-1)
    if (message === undefined) return
    setLast((before) => ({ number: (before?.number ?? 0) + 1, message }))
    announcer.enqueue(update)
  })
  return (
    <div className="live-line">
      <span className={`live-state ${state}`}>{t(state === 'away' ? 'liveAway' : 'live')}</span>
      {last && (
        <span key={last.number} className="live-last" dir="auto">
          {last.message}
        </span>
      )}
      <span className="heard" role="status">
        {announcer.message}
      </span>
    </div>
  )
}

function useAnnouncer(): { message: string; enqueue: (activity: LiveActivity) => void } {
  const [message, setMessage] = useState('')
  const waiting = useRef<LiveActivity>(nothing)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const announcedAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => () => clearTimeout(timer.current), [])
  const announce = () => {
    timer.current = undefined
    announcedAt.current = performance.now()
    setMessage(summarizeActivity(waiting.current))
    waiting.current = nothing
  }
  const enqueue = ({ feedback, selections, decisions }: LiveActivity) => {
    waiting.current = {
      feedback: [...waiting.current.feedback, ...feedback],
      selections: [...waiting.current.selections, ...selections],
      decisions: [...waiting.current.decisions, ...decisions],
    }
    timer.current ??= setTimeout(announce, Math.max(500, announcedAt.current + announceIntervalMs - performance.now()))
  }
  return { message, enqueue }
}
