import type { ThreadReply } from './sqlite-thread.ts'
import { SqliteError, type SqliteThread } from './sqlite-thread-client.ts'

const maxDeedsPerGroup = 64
const maxGroupMilliseconds = 25

type Group = { openedAt: number; commits: Array<{ resolve: () => void; reject: (error: Error) => void }> }

/**
 * The one writer. Deeds take turns, each inside a savepoint; those that wait for their turn while another runs are
 * committed together under one fsync. A deed's `commit` resolves only after that fsync, and rejects if it failed.
 */
export class GroupCommit {
  readonly #thread: SqliteThread
  readonly #turns: Array<() => void> = []
  #isBusy = false
  #group: Group | null = null

  constructor(thread: SqliteThread) {
    this.#thread = thread
  }

  /** Waits for the turn and opens the deed. */
  async begin(): Promise<void> {
    if (this.#isBusy) await new Promise<void>((resolve) => this.#turns.push(resolve))
    this.#isBusy = true
    try {
      if (!this.#group) {
        await this.#must('begin immediate')
        this.#group = { openedAt: performance.now(), commits: [] }
      }
      await this.#must('savepoint deed')
    } catch (error) {
      await this.#endTurn()
      throw error
    }
  }

  /** Refuses what comes after an error that ended the transaction: outside it a statement would be kept alone. */
  async run(sql: string, parameters: readonly unknown[]): Promise<ThreadReply> {
    if (!this.#group) throw new Error('The transaction of this deed has ended')
    return this.#must(sql, parameters)
  }

  /** Ends the deed, also when it rejects. */
  async commit(): Promise<void> {
    try {
      await this.#must('release deed')
    } catch (error) {
      await this.#endTurn()
      throw error
    }
    const durable = new Promise<void>((resolve, reject) => this.#group?.commits.push({ resolve, reject }))
    const [result] = await Promise.allSettled([durable, this.#endTurn()])
    if (result.status === 'rejected') throw result.reason
  }

  async rollback(): Promise<void> {
    if (this.#group) {
      await this.#thread.send('rollback to deed')
      await this.#thread.send('release deed')
    }
    await this.#endTurn()
  }

  /** Sends one statement; an error that ended the whole transaction takes the group's earlier deeds with it. */
  async #must(sql: string, parameters: readonly unknown[] = []): Promise<ThreadReply> {
    const reply = await this.#thread.send(sql, parameters)
    if (!reply.error) return reply
    const error = new SqliteError(reply.error.message, reply.error.code)
    if (this.#group && !reply.inTransaction) this.#settleGroup(error)
    throw error
  }

  /** Hands the open group to the next deed, or commits it when nobody waits or it is full. */
  async #endTurn(): Promise<void> {
    const group = this.#group
    const mayGrow =
      group !== null &&
      this.#turns.length > 0 &&
      group.commits.length < maxDeedsPerGroup &&
      performance.now() - group.openedAt < maxGroupMilliseconds
    if (group && !mayGrow) await this.#commitGroup()
    const next = this.#turns.shift()
    if (next) next()
    else this.#isBusy = false
  }

  async #commitGroup(): Promise<void> {
    try {
      const reply = await this.#thread.send('commit')
      if (reply.error && reply.inTransaction) await this.#thread.send('rollback')
      this.#settleGroup(reply.error ? new SqliteError(reply.error.message, reply.error.code) : null)
    } catch (error) {
      this.#settleGroup(error as Error)
    }
  }

  #settleGroup(error: Error | null): void {
    const commits = this.#group?.commits ?? []
    this.#group = null
    for (const { resolve, reject } of commits) error ? reject(error) : resolve()
  }
}
