/** The way out to the service: so many at once, and none while it is paused or held. */
export class UploadLine {
  #free: number
  #heldUntilMs = 0
  #isPaused = false
  #running = new AbortController()
  /** Of those who wait for a place, and of those who wait for a better time. */
  readonly #queue = new Set<() => void>()
  readonly #waits = new Set<() => void>()

  constructor(atOnce: number) {
    this.#free = atOnce
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  get isHeld(): boolean {
    return this.#heldUntilMs > Date.now()
  }

  /** Aborted when the line is paused; what has gone out in full may still be answered. */
  get running(): AbortSignal {
    return this.#running.signal
  }

  pause(): void {
    this.#isPaused = true
    this.#running.abort()
  }

  resume(): void {
    this.#isPaused = false
    this.#running = new AbortController()
    this.hurry()
    this.#call()
  }

  /** Nothing goes out for so long. */
  hold(ms: number): void {
    this.#heldUntilMs = Math.max(this.#heldUntilMs, Date.now() + ms)
  }

  /** Ends all waits for a better time: it has come. What is held stays so. */
  hurry(): void {
    for (const wake of [...this.#waits]) wake()
  }

  /** Takes a place as soon as there is one; call what it answers to leave it. Throws when `signal` is aborted. */
  async enter(signal: AbortSignal): Promise<() => void> {
    for (;;) {
      signal.throwIfAborted()
      const heldMs = this.#heldUntilMs - Date.now()
      if (!this.isPaused && heldMs <= 0 && this.#free > 0) break
      await until(this.#queue, heldMs > 0 ? heldMs : null, signal)
    }
    this.#free--
    return () => {
      this.#free++
      this.#call()
    }
  }

  /** Until so many milliseconds are over, or `hurry`. Throws when `signal` is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return until(this.#waits, ms, signal)
  }

  #call(): void {
    for (const wake of [...this.#queue]) wake()
  }
}

/** Until somebody calls what is put into `wakers`, or so many milliseconds are over. */
function until(wakers: Set<() => void>, ms: number | null, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = () => {
      end()
      resolve()
    }
    const abort = () => {
      end()
      reject(signal.reason)
    }
    const timer = ms === null ? undefined : setTimeout(wake, ms)
    function end() {
      clearTimeout(timer)
      wakers.delete(wake)
      signal.removeEventListener('abort', abort)
    }
    wakers.add(wake)
    signal.addEventListener('abort', abort)
  })
}
