import { findMessage, translator } from '../app/language.ts'
import type { WebhookEventType } from './webhooks-query.ts'

const t = translator('webhooks')

const groups = ['event', 'photo', 'guest'] as const
export type TypeGroup = (typeof groups)[number]

const getGroup = (type: string): TypeGroup => {
  if (type.startsWith('event.')) return 'event'
  return type.startsWith('photo.') ? 'photo' : 'guest'
}

export type EventTypeRecord = { type: WebhookEventType; description: string }

export const typesByGroup = (types: readonly EventTypeRecord[]): Array<[TypeGroup, EventTypeRecord[]]> =>
  groups.map((group) => [group, types.filter(({ type }) => getGroup(type) === group)])

export const groupLabel = (group: TypeGroup): string => t(`group_${group}`)

/** Returns the description of the service where there is no translation. */
export const typeLabel = ({ type, description }: EventTypeRecord): string =>
  findMessage('webhooks', `type_${type.replace('.', '_')}`) ?? description
