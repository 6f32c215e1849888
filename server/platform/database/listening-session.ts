import { Socket } from 'node:net'
import pLimit from 'p-limit'
import pg from 'pg'
import { nodeApplication } from './running-nodes.ts'

const channel = 'proofroom'

/** A connection that does not respond within this time is closed. */
const patienceMs = 2_000

/** Notifications and locks need not survive a crash of the server, so commits are not synchronous. */
const settings = [
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
  readonly #inTurn = pLimit(1)

  /** `onMessage` gets messages in commit order, and before the response to any query that was sent later. */
  constructor(url: string, node: string, onWord: (word: string) => void) {
    this.#client = new pg.Client({
      connectionString: urlOf(url, node),
      stream: () => this.#socket,
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
      keepAlive: true,
    })
    this.#client.on('notification', ({ payload }) => onWord(payload ?? ''))
    this.#client.on('error', () => this.#lost.abort())
    this.#client.on('end', () => this.#lost.abort())
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Everything that is committed after this resolves is received. */
  async open(): Promise<void> {
    await this.#client.connect()
    await this.#query(`listen ${channel}`)
  }

  async answer(): Promise<void> {
    await this.#query('select 1')
  }

  async tell(messages: readonly string[]): Promise<void> {
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
    return this.#inTurn(() => this.#client.query(text, values))
  }

  /** Closes without a protocol message, because a silent connection would not respond to one. */
  cut(): void {
    this.#lost.abort()
    this.#socket.destroy()
  }
}

/** Must not collide with the keys of `LockScope`. */
const lockKey = `hashtextextended('proofroom alone ' || $1, 0)`

/** Sets the options in the URL because the `pg` client prefers them to its other settings. */
function urlOf(url: string, node: string): string {
  const address = new URL(url)
  const given = address.searchParams.get('options') ?? ''
  const ours = settings.map((setting) => `-c ${setting}`)
  address.searchParams.set('options', [given, ...ours].join(' ').trim())
  address.searchParams.set('application_name', nodeApplication(node))
  return address.href
}
