import type { Schemas } from '../api/api.ts'
import { type FilterRow, parseFilter, toFilterRows } from './filter-rows.ts'
import type { WebhookEventType } from './webhooks-query.ts'

export type WebhookDraft = {
  name: string
  url: string
  events: WebhookEventType[]
  active: boolean
  rows: FilterRow[]
  template: string
}

export type WebhookBody = Required<Schemas['CreateWebhook']>

export const emptyDraft: WebhookDraft = { name: '', url: '', events: [], active: true, rows: [], template: '' }

export const toWebhookDraft = (webhook: WebhookBody): WebhookDraft => ({
  name: webhook.name,
  url: webhook.url,
  events: webhook.events,
  active: webhook.active,
  rows: toFilterRows(webhook.filter),
  template: webhook.template ?? '',
})

export const toWebhookBody = ({ rows, name, url, template, ...draft }: WebhookDraft): WebhookBody => ({
  ...draft,
  name: name.trim(),
  url: url.trim(),
  filter: parseFilter(rows),
  template: template.trim() === '' ? null : template,
})

export const isSameDraft = (one: WebhookDraft, other: WebhookDraft): boolean =>
  JSON.stringify(toWebhookBody(one)) === JSON.stringify(toWebhookBody(other))

/** Returns paths that occur more than once: in the filter, a later row would overwrite an earlier one. */
export const findDuplicatePaths = (rows: readonly FilterRow[]): string[] => {
  const paths = rows.map(({ path }) => path.trim()).filter(Boolean)
  return paths.filter((path, index) => paths.indexOf(path) !== index)
}
