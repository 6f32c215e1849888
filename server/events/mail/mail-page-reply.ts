import type { FastifyReply } from 'fastify'
import type { MailRecord } from '../../../contract/instance/mail.ts'
import { mailSecurityPolicy } from '../../platform/http/security-headers.ts'

/** Returns the HTML of a mail for an iframe, and sets the headers. The links in the mail open new tabs. */
export function showMailPage(reply: FastifyReply, { html }: Pick<MailRecord, 'html'>): string {
  reply.type('text/html; charset=utf-8').headers({
    'cache-control': 'no-store',
    'content-security-policy': mailSecurityPolicy,
  })
  return html.replace('<head>', '<head><base target="_blank">')
}
