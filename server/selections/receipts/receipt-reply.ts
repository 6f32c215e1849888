import { createHash } from 'node:crypto'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ReceiptQuery } from '../../../contract/gallery/rounds.ts'
import type { EventRow } from '../../events/event-rows.ts'
import { getTypeface } from '../../events/event-rules.ts'
import { matches } from '../../platform/http/send-file.ts'
import { getTranslator } from '../../platform/text/messages.ts'
import { createSlug } from '../../platform/text/slugs.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { loadBrand } from '../../settings/brand-markup.ts'
import { withColorNames } from '../../settings/color-names.ts'
import type { AgreedSelection } from './agreed-selections.ts'
import { formatReceiptTable } from './receipt-csv.ts'
import { renderReceipt } from './receipt-page.ts'

export async function sendReceipt(
  { settings }: Pick<AppContext, 'settings'>,
  request: FastifyRequest,
  reply: FastifyReply,
  event: EventRow,
  selection: AgreedSelection,
  { format, headers }: ReceiptQuery,
): Promise<FastifyReply> {
  const { snapshot } = selection
  const language = format === 'html' || headers === 'keys' ? snapshot.language : headers
  const i18n = withColorNames(getTranslator('receipts', language), snapshot.color_names ?? {})
  const page = format === 'html' ? renderReceipt(selection, getTypeface(event), i18n, await loadBrand(settings)) : null
  const body = page?.markup ?? (await formatReceiptTable(selection, i18n, headers))
  const etag = `"${createHash('sha256').update(body).digest('hex')}"`
  reply.headers({ etag, 'cache-control': 'private, no-cache' })
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  if (page) reply.header('content-security-policy', page.securityPolicy)
  else reply.header('content-disposition', contentDisposition(nameTable(selection)))
  return reply.type(`text/${format}; charset=utf-8`).send(body)
}

const nameTable = ({ snapshot, people }: AgreedSelection): string =>
  `${createSlug(`${snapshot.event_name} ${people?.guest_name ?? ''}`)}-round-${snapshot.round}.csv`
