import type { PreviewWebhookBody, WebhookPreview } from '../../contract/webhooks.ts'
import type { PlatformContext } from '../platform/platform-context.ts'
import { sampleEnvelope } from './envelopes.ts'
import { assertFilter, passesFilter } from './filter-rules.ts'
import { assertTemplate, renderBody } from './template-rules.ts'
import { normalizeTemplate } from './webhook-fields.ts'

/** Throws VALIDATION_ERROR. */
export function previewWebhook(
  { clock }: PlatformContext,
  { event_type, filter = {}, template }: PreviewWebhookBody,
): WebhookPreview {
  const source = normalizeTemplate(template)
  assertFilter(filter)
  if (source !== null) assertTemplate(source)
  const envelope = sampleEnvelope(event_type, clock.now())
  const { body, contentType } = renderBody(source, envelope)
  return { passes: passesFilter(filter, envelope), content_type: contentType, body }
}
