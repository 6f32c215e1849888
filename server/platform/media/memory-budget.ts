type Request<Job> = { job: Job; bytes: number; grant: () => void }

/** Memory that jobs share. A job that requests more than all of it runs alone. */
export class MemoryBudget<Job> {
  readonly #totalBytes: number
  readonly #waiting: Request<Job>[] = []
  readonly #granted = new Map<Job, number>()
  #grantedBytes = 0

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes
  }

  /** Calls `grant` when there is room, in the order of the requests, so that a large job is not overtaken forever. */
  request(job: Job, bytes: number, grant: () => void): void {
    this.#waiting.push({ job, bytes: Math.min(bytes, this.#totalBytes), grant })
    this.#grantNext()
  }

  /** Whether the job waits for memory or has it. */
  hasRequested(job: Job): boolean {
    return this.#granted.has(job) || this.#waiting.some((request) => request.job === job)
  }

  /** Returns the memory of the job, or withdraws its request. */
  release(job: Job): void {
    const waiting = this.#waiting.findIndex((request) => request.job === job)
    if (waiting !== -1) this.#waiting.splice(waiting, 1)
    this.#grantedBytes -= this.#granted.get(job) ?? 0
    this.#granted.delete(job)
    this.#grantNext()
  }

  #grantNext(): void {
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const hasRoom = this.#grantedBytes === 0 || this.#grantedBytes + next.bytes <= this.#totalBytes
      if (!hasRoom) return
      this.#waiting.shift()
      this.#granted.set(next.job, next.bytes)
      this.#grantedBytes += next.bytes
      next.grant()
    }
  }
}
