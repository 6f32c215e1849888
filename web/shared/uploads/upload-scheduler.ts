/** Limits concurrent requests. New requests wait after `pause` until `resume`, and for the time given to `hold`. */
export class UploadScheduler {
  #free: number
  #heldUntilMs = 0
  #isPaused = false
  #running = new AbortController()
  /** Functions that wake pending calls of `enter` (`#queue`) and of `wait` (`#waits`). */
  readonly #queue = new Set<() => void>()
  readonly #waits = new Set<() => void>()

  constructor(maxConcurrent: number) {
    this.#free = maxConcurrent
  }

  get isPaused(): boolean {
    return this.#isPaused
  }

  get isHeld(): boolean {
    return this.#heldUntilMs > Date.now()
  }

  /** A signal that `pause` aborts. `postBytes` ignores it when all bytes are sent, so that the request can complete. */
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
    this.endWaits()
    this.#call()
  }

  hold(ms: number): void {
    this.#heldUntilMs = Math.max(this.#heldUntilMs, Date.now() + ms)
  }

  /** Ends all calls of `wait` at once, but not the time given to `hold`. */
  endWaits(): void {
    for (const wake of [...this.#waits]) wake()
  }

  /** Waits for a slot. Returns a function that releases it. Throws the reason of `signal`. */
  async enter(signal: AbortSignal): Promise<() => void> {
    for (;;) {
      signal.throwIfAborted()
      const heldMs = this.#heldUntilMs - Date.now()
      if (!this.isPaused && heldMs <= 0 && this.#free > 0) break
      await waitForWake(this.#queue, heldMs > 0 ? heldMs : null, signal)
    }
    this.#free--
    return () => {
      this.#free++
      this.#call()
    }
  }

  /** Waits until the time has passed or `endWaits` is called. Throws the reason of `signal`. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return waitForWake(this.#waits, ms, signal)
  }

  #call(): void {
    for (const wake of [...this.#queue]) wake()
  }
}

function waitForWake(wakers: Set<() => void>, ms: number | null, signal: AbortSignal): Promise<void> {
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
