import { Socket } from 'node:net'
import pg from 'pg'
import { createTurns } from '../background/turns.ts'
import { nodeApplication } from './running-nodes.ts'

const channel = 'proofroom'

/** A connection of which no answer comes for so long is given up. */
const patienceMs = 2_000

/** What the pools' sessions need not know of. Words to other nodes and the locks need not outlive the server. */
const settings = [
  'statement_timeout=5s',
  'synchronous_commit=off',
  'timezone=UTC',
  // A node that has vanished from the network keeps its locks for no longer.
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=3',
  'tcp_keepalives_count=3',
  'tcp_user_timeout=15000',
]

/** One connection of its own: it hears what is told on the channel, and holds the locks of this node. */
export class ListeningSession {
  readonly #socket = new Socket()
  readonly #client: pg.Client
  readonly #lost = new AbortController()
  readonly #inTurn = createTurns(1)

  /** `onWord` is told in the order in which the changes were committed, and ahead of any answer that was asked for later. */
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

  /** Aborted when the connection is gone. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Whatever is committed after it is heard. */
  async open(): Promise<void> {
    await this.#client.connect()
    await this.#query(`listen ${channel}`)
  }

  async answer(): Promise<void> {
    await this.#query('select 1')
  }

  async tell(words: readonly string[]): Promise<void> {
    await this.#query('select pg_notify($1, word) from unnest($2::text[]) word', [channel, words])
  }

  /** Whether it is ours now, until it is given back or the connection ends. */
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

  /** At once: a connection that is silent would not answer to a farewell either. */
  cut(): void {
    this.#lost.abort()
    this.#socket.destroy()
  }
}

/** Other keys than those of `LockScope`. */
const lockKey = `hashtextextended('proofroom alone ' || $1, 0)`

/** In the address, since what stands there counts before all else. */
function urlOf(url: string, node: string): string {
  const address = new URL(url)
  const given = address.searchParams.get('options') ?? ''
  const ours = settings.map((setting) => `-c ${setting}`)
  address.searchParams.set('options', [given, ...ours].join(' ').trim())
  address.searchParams.set('application_name', nodeApplication(node))
  return address.href
}
