import { Socket } from 'node:net'
import pLimit from 'p-limit'
import pg from 'pg'
import { nodeApplicationName } from './running-nodes.ts'

const channel = 'proofroom'

/** A connection that does not respond within this time is closed. */
const timeoutMs = 2_000

/** Notifications and locks need not survive a crash of the server, so commits are not synchronous. */
const sessionSettings = [
  'statement_timeout=5s',
  'synchronous_commit=off',
  'timezone=UTC',
  // Limits how long a node that has left the network holds its locks.
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=3',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=15000',
]

/** A separate connection that receives notifications and holds the locks of this node. */
export class ListeningSession {
  readonly #socket = new Socket()
  readonly #client: pg.Client
  readonly #lost = new AbortController()
  readonly #runInOrder = pLimit(1)

  /** `onMessage` gets messages in commit order, each before the response to a query that was sent after its commit. */
  constructor(url: string, node: string, onMessage: (message: string) => void) {
    this.#client = new pg.Client({
      connectionString: createListenerUrl(url, node),
      stream: () => this.#socket,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
    })
    this.#client.on('notification', ({ payload }) => onMessage(payload ?? ''))
    this.#client.on('error', () => this.#lost.abort())
    this.#client.on('end', () => this.#lost.abort())
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** The session receives all notifications that are committed after `open` resolves, until the connection is lost. */
  async open(): Promise<void> {
    await this.#client.connect()
    await this.#query(`listen ${channel}`)
  }

  async ping(): Promise<void> {
    await this.#query('select 1')
  }

  async notify(messages: readonly string[]): Promise<void> {
    await this.#query('select pg_notify($1, word) from unnest($2::text[]) word', [channel, messages])
  }

  /** Returns whether this node has the lock now. It holds the lock until `unlock` or until the connection ends. */
  async lock(name: string): Promise<boolean> {
    const { rows } = await this.#query(`select pg_try_advisory_lock(${lockKey}) ours`, [name])
    return rows[0]?.ours === true
  }

  async unlock(name: string): Promise<void> {
    await this.#query(`select pg_advisory_unlock(${lockKey})`, [name])
  }

  #query(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    return this.#runInOrder(() => this.#client.query(text, values))
  }

  /** Closes without a protocol message, because a silent connection would not respond to one. */
  disconnect(): void {
    this.#lost.abort()
    this.#socket.destroy()
  }
}

/** Must not collide with the keys of `LockScope` in `transaction.ts`. */
const lockKey = `hashtextextended('proofroom alone ' || $1, 0)`

/** Sets the options in the URL, because the `pg` client prefers the URL to its other settings. */
function createListenerUrl(url: string, node: string): string {
  const address = new URL(url)
  const urlOptions = address.searchParams.get('options') ?? ''
  const ours = sessionSettings.map((setting) => `-c ${setting}`)
  address.searchParams.set('options', [urlOptions, ...ours].join(' ').trim())
  address.searchParams.set('application_name', nodeApplicationName(node))
  return address.href
}
