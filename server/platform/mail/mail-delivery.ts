import { createFailureLog } from '../background/failure-log.ts'
import { seconds } from '../clock.ts'
import type { PlatformContext } from '../platform-context.ts'
import { claimDueMails, sendMail } from './send-mail.ts'

/** So many at once: a server that takes its time over one does not hold up the others. */
const maxConcurrent = 4

/** How often it looks for retries, and for what another process has written, where nothing wakes it. */
const lookEveryMs = seconds(30)

export type MailDelivery = {
  /** Takes up nothing new; mails under way get the grace, then are broken off and stay queued. */
  stop: (graceSeconds: number) => Promise<void>
}

/** Sends what is queued: at once when an operation has told of it, else when it is due. Without a mail server it rests. */
export function startMailDelivery(ctx: PlatformContext): MailDelivery {
  const { mailer, changes, log } = ctx
  if (mailer.newStatus === 'kept') return { stop: async () => {} }

  const failures = createFailureLog(log, 'The mail queue could not be read')
  const underWay = new Set<Promise<void>>()
  const ending = new AbortController()
  let isStopping = false
  let isWanted = false
  let looking: Promise<void> | null = null

  async function look(): Promise<void> {
    while (isWanted && !isStopping) {
      isWanted = false
      const free = maxConcurrent - underWay.size
      // The next one that ends looks again.
      if (free === 0) return
      for (const mail of await claimDueMails(ctx, free)) {
        const sending = sendMail(ctx, mail, ending.signal)
          .catch((err) => log.error({ err, mail: mail.id }, 'A mail could not be handled'))
          .finally(() => {
            underWay.delete(sending)
            wake()
          })
        underWay.add(sending)
      }
    }
  }

  function wake(): void {
    isWanted = true
    if (isStopping) return
    looking ??= look()
      .then(failures.worked, failures.failed)
      .finally(() => {
        looking = null
        if (isWanted) wake()
      })
  }

  changes.on('mail', wake)
  const timer = setInterval(wake, lookEveryMs).unref()
  wake()

  return {
    async stop(graceSeconds) {
      isStopping = true
      clearInterval(timer)
      await looking
      const cutOff = setTimeout(() => ending.abort(), seconds(graceSeconds))
      await Promise.all(underWay)
      clearTimeout(cutOff)
    },
  }
}
