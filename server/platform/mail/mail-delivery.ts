import { createFailureLog } from '../background/failure-log.ts'
import type { PlatformContext } from '../platform-context.ts'
import { seconds } from '../time/clock.ts'
import { watchMailServer } from './mail-server-state.ts'
import { claimDueMails, type LoadMailPictures, type OnMailSent, sendMail } from './send-mail.ts'

const maxConcurrent = 4

/** Interval for retries, and for mails of other nodes: the topic `mail` is not sent between nodes. */
const pollIntervalMs = seconds(30)

export type MailDelivery = {
  /** Starts nothing new. Running sends get the grace period, then are aborted and stay queued. */
  stop: (graceSeconds: number) => Promise<void>
}

/**
 * Sends due mails after each notification and at each interval. Without a mail server it reads nothing until the
 * settings change.
 */
export function startMailDelivery(
  ctx: PlatformContext,
  onSent: OnMailSent,
  loadPictures: LoadMailPictures,
): MailDelivery {
  const { changes, log } = ctx
  const failures = createFailureLog(log, 'Could not read the mail queue')
  const running = new Set<Promise<void>>()
  const ending = new AbortController()
  let isStopping = false
  let hasWork = false
  let sendingDue: Promise<void> | null = null

  async function sendDueMails(): Promise<void> {
    while (hasWork && !isStopping) {
      hasWork = false
      if (!(await isConfigured())) return
      const free = maxConcurrent - running.size
      // When one of the running sends ends, it calls `wake` again.
      if (free === 0) return
      for (const mail of await claimDueMails(ctx, free)) {
        const sending = sendMail(ctx, mail, { ending: ending.signal, onSent, loadPictures })
          .catch((err) => log.error({ err, mail: mail.id }, 'Could not process a mail'))
          .finally(() => {
            running.delete(sending)
            wake()
          })
        running.add(sending)
      }
    }
  }

  function wake(): void {
    hasWork = true
    if (isStopping) return
    sendingDue ??= sendDueMails()
      .then(failures.succeeded, failures.failed)
      .finally(() => {
        sendingDue = null
        if (hasWork) wake()
      })
  }

  changes.on('mail', wake)
  const isConfigured = watchMailServer(ctx, wake)
  const timer = setInterval(wake, pollIntervalMs).unref()
  wake()

  return {
    async stop(graceSeconds) {
      isStopping = true
      clearInterval(timer)
      await sendingDue
      const cutOff = setTimeout(() => ending.abort(), seconds(graceSeconds))
      await Promise.all(running)
      clearTimeout(cutOff)
    },
  }
}
