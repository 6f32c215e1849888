import type { Wire } from '../api/api.ts'
import { type FilterRow, filterOf, rowsOf } from './filter-rows.ts'
import type { WebhookEventType } from './webhooks-query.ts'

export type WebhookDraft = {
  name: string
  url: string
  events: WebhookEventType[]
  active: boolean
  rows: FilterRow[]
  template: string
}

export type WebhookBody = Required<Wire['CreateWebhook']>

export const emptyDraft: WebhookDraft = { name: '', url: '', events: [], active: true, rows: [], template: '' }

export const draftOf = ({
  name,
  url,
  events,
  active,
  filter,
  template,
}: Omit<WebhookBody, 'secret'>): WebhookDraft => ({
  name,
  url,
  events,
  active,
  rows: rowsOf(filter),
  template: template ?? '',
})

export const bodyOf = ({ rows, name, url, template, ...draft }: WebhookDraft): WebhookBody => ({
  ...draft,
  name: name.trim(),
  url: url.trim(),
  filter: filterOf(rows),
  template: template.trim() === '' ? null : template,
})

export const isSame = (one: WebhookDraft, other: WebhookDraft): boolean =>
  JSON.stringify(bodyOf(one)) === JSON.stringify(bodyOf(other))

/** Returns paths that occur twice: in the filter, the second row would overwrite the first. */
export const twicePaths = (rows: readonly FilterRow[]): string[] => {
  const paths = rows.map(({ path }) => path.trim()).filter(Boolean)
  return paths.filter((path, index) => paths.indexOf(path) !== index)
}
