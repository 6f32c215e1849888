import { Histogram } from '../background/histogram.ts'
import { type DiskReserve, releaseForError } from './disk-reserve.ts'
import type { Statement, StatementResult } from './sqlite-thread.ts'
import type { SqliteThread } from './sqlite-thread-client.ts'

const maxTransactionsPerGroup = 64
const maxGroupMs = 25

const beginSql = 'begin immediate'
const savepointSql = 'savepoint work'

type Group = { openedAt: number; commits: Array<{ resolve: () => void; reject: (error: Error) => void }> }

/**
 * Runs transactions one after another, each in a savepoint, and commits waiting transactions together with one fsync.
 * `commit` resolves after that fsync and rejects if it fails. One fsync for each transaction would limit the number of
 * transactions per second.
 */
export class GroupCommit {
  /** How long the commits took. */
  readonly commits = new Histogram()
  readonly #thread: SqliteThread
  readonly #reserve: DiskReserve | null
  readonly #queue: Array<() => void> = []
  #isBusy = false
  #group: Group | null = null
  /** Transaction statements that are sent together with the next message to the thread. */
  #pendingSql: string[] = []

  constructor(thread: SqliteThread, reserve: DiskReserve | null = null) {
    this.#thread = thread
    this.#reserve = reserve
  }

  async begin(): Promise<void> {
    if (this.#isBusy) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#isBusy = true
    if (!this.#group) {
      this.#reserve?.releaseIfScarce()
      this.#group = { openedAt: performance.now(), commits: [] }
      this.#pendingSql = [beginSql]
    }
    this.#pendingSql.push(savepointSql)
  }

  /**
   * Runs the statements one after another, until one fails. Rejects statements after an error that ended the
   * transaction: they would be committed on their own.
   */
  async run(statements: readonly Statement[]): Promise<StatementResult[]> {
    if (!this.#group) throw new Error('The transaction has ended')
    const reply = await this.#thread.send(statements, this.#pendingSql.splice(0))
    if (!reply.error) return reply.results
    const error = releaseForError(reply.error, this.#reserve)
    if (!reply.inTransaction) this.#settleGroup(error)
    throw error
  }

  async commit(): Promise<void> {
    const group = this.#group
    if (!group) {
      await this.#releaseWriter()
      throw new Error('The transaction has ended')
    }
    this.#endTransaction(['release work'])
    const durable = new Promise<void>((resolve, reject) => group.commits.push({ resolve, reject }))
    const [result] = await Promise.allSettled([durable, this.#releaseWriter()])
    if (result.status === 'rejected') throw result.reason
  }

  async rollback(): Promise<void> {
    if (this.#group) this.#endTransaction(['rollback to work', 'release work'])
    await this.#releaseWriter()
  }

  /** A transaction without statements needs no savepoint and no release. */
  #endTransaction(statements: readonly string[]): void {
    if (this.#pendingSql.at(-1) === savepointSql) this.#pendingSql.pop()
    else this.#pendingSql.push(...statements)
  }

  /** Passes the open group to the next transaction, or commits it when none waits or the group is full or too old. */
  async #releaseWriter(): Promise<void> {
    const group = this.#group
    const canGrow =
      group !== null &&
      this.#queue.length > 0 &&
      group.commits.length < maxTransactionsPerGroup &&
      performance.now() - group.openedAt < maxGroupMs
    if (group && !canGrow) await this.#commitGroup()
    const next = this.#queue.shift()
    if (next) next()
    else this.#isBusy = false
  }

  async #commitGroup(): Promise<void> {
    const precedingSql = this.#pendingSql.splice(0)
    if (precedingSql[0] === beginSql) return this.#settleGroup(null)
    try {
      const startedAt = performance.now()
      const reply = await this.#thread.send([['commit', []]], precedingSql)
      this.commits.observe((performance.now() - startedAt) / 1000)
      if (reply.error && reply.inTransaction) await this.#thread.send([['rollback', []]])
      this.#settleGroup(reply.error ? releaseForError(reply.error, this.#reserve) : null)
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
