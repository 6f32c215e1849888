import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { LetterList, LetterRecord, LetterTextBody, letterNames } from '../../../contract/instance/letters.ts'
import { MailPage } from '../../../contract/instance/mail.ts'
import { languages } from '../../../contract/languages.ts'
import { IdParams } from '../../../contract/shapes.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { getOwnedEvent } from '../event-ownership.ts'
import { changeLetter, getLetter, type LetterKey, listLetters } from './letter-texts.ts'
import { showMailPage } from './mail-page-reply.ts'
import { previewLetter } from './preview-letter.ts'

const tags = ['mail']
const letterParams = {
  letter: Type.String({ maxLength: 50, description: `One of ${letterNames.join(', ')}` }),
  language: Type.String({ maxLength: 35, description: `One of ${languages.join(', ')}` }),
}
const InstanceLetter = Type.Object(letterParams)
const EventLetter = Type.Object({ ...IdParams('event_id').properties, ...letterParams })

/** The texts of mails: those of the instance, and those of an event. */
export const lettersApi = (ctx: AppContext) => async (app: Http) => {
  const ofInstance = (params: Static<typeof InstanceLetter>): LetterKey => ({ ...parseParams(params), eventId: null })

  app.get(
    '/letters',
    {
      schema: { operationId: 'listLetters', tags, summary: 'List the texts of emails', response: { 200: LetterList } },
      config: { permission: 'settings.view' },
    },
    async () => ({ letters: await listLetters(ctx.db, null) }),
  )

  app.put(
    '/letters/:letter/:language',
    {
      schema: {
        operationId: 'changeLetter',
        tags,
        summary: 'Change the text of an email',
        params: InstanceLetter,
        body: LetterTextBody,
        response: { 200: LetterRecord },
      },
      config: { permission: 'settings.edit' },
    },
    ({ params, body }) => changeLetter(ctx, ofInstance(params), body),
  )

  app.delete(
    '/letters/:letter/:language',
    {
      schema: {
        operationId: 'resetLetter',
        tags,
        summary: 'Restore the text of an email',
        params: InstanceLetter,
        response: { 200: LetterRecord },
      },
      config: { permission: 'settings.edit' },
    },
    ({ params }) => changeLetter(ctx, ofInstance(params), null),
  )

  app.get(
    '/letters/:letter/:language/html',
    {
      schema: {
        operationId: 'previewLetter',
        tags,
        summary: 'Get an email with its text and example values',
        params: InstanceLetter,
        response: { 200: MailPage },
      },
      config: { permission: 'settings.view' },
    },
    async ({ params }, reply) => {
      const letter = await getLetter(ctx.db, ofInstance(params))
      return showMailPage(reply, await previewLetter(ctx, letter, null))
    },
  )

  type OfEvent = { caller: FastifyRequest['caller']; params: Static<typeof EventLetter> }
  const ofEvent = async ({ caller, params }: OfEvent) => {
    const event = await getOwnedEvent(ctx, caller, params.event_id)
    return { event, key: { ...parseParams(params), eventId: event.id } }
  }

  app.get(
    '/events/:event_id/letters',
    {
      schema: {
        operationId: 'listEventLetters',
        tags,
        summary: 'List the texts of the emails about an event',
        params: IdParams('event_id'),
        response: { 200: LetterList },
      },
      config: { permission: 'events.view' },
    },
    async ({ caller, params }) => ({
      letters: await listLetters(ctx.db, (await getOwnedEvent(ctx, caller, params.event_id)).id),
    }),
  )

  app.put(
    '/events/:event_id/letters/:letter/:language',
    {
      schema: {
        operationId: 'changeEventLetter',
        tags,
        summary: 'Change the text of an email about an event',
        params: EventLetter,
        body: LetterTextBody,
        response: { 200: LetterRecord },
      },
      config: { permission: 'events.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async (request) => changeLetter(ctx, (await ofEvent(request)).key, request.body),
  )

  app.delete(
    '/events/:event_id/letters/:letter/:language',
    {
      schema: {
        operationId: 'resetEventLetter',
        tags,
        summary: 'Restore the text of an email about an event',
        params: EventLetter,
        response: { 200: LetterRecord },
      },
      config: { permission: 'events.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async (request) => changeLetter(ctx, (await ofEvent(request)).key, null),
  )

  app.get(
    '/events/:event_id/letters/:letter/:language/html',
    {
      schema: {
        operationId: 'previewEventLetter',
        tags,
        summary: 'Get an email about an event as its recipient would see it',
        params: EventLetter,
        response: { 200: MailPage },
      },
      config: { permission: 'events.view' },
    },
    async (request, reply) => {
      const { event, key } = await ofEvent(request)
      return showMailPage(reply, await previewLetter(ctx, await getLetter(ctx.db, key), event))
    },
  )
}

/** Throws NOT_FOUND. */
function parseParams(params: Static<typeof InstanceLetter>): Pick<LetterKey, 'letter' | 'language'> {
  const letter = letterNames.find((name) => name === params.letter)
  const language = languages.find((tag) => tag === params.language)
  if (!letter || !language) throw new AppError('NOT_FOUND')
  return { letter, language }
}
