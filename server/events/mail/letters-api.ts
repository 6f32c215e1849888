import type { FastifyRequest } from 'fastify'
import { type TProperties, Type } from 'typebox'
import { LetterList, LetterRecord, LetterTextBody, letterNames } from '../../../contract/instance/letters.ts'
import { MailPage } from '../../../contract/instance/mail.ts'
import { languages } from '../../../contract/languages.ts'
import type { ProblemCode } from '../../../contract/problems.ts'
import { IdParams } from '../../../contract/shapes.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { AppContext } from '../../settings/app-context.ts'
import { getOwnedEvent } from '../event-ownership.ts'
import type { EventRow } from '../event-rows.ts'
import { changeLetter, getLetter, type LetterKey, listLetters } from './letter-texts.ts'
import { showMailPage } from './mail-page-reply.ts'
import { previewLetter } from './preview-letter.ts'

const letterParams = {
  letter: Type.String({ maxLength: 50, description: `One of ${letterNames.join(', ')}` }),
  language: Type.String({ maxLength: 35, description: `One of ${languages.join(', ')}` }),
}

/** The texts of the instance, or those of an event. */
type Scope = {
  path: string
  params: TProperties
  /** Part of the operation ids. */
  name: '' | 'Event'
  /** Part of the summaries. */
  of: string
  view: 'settings.view' | 'events.view'
  edit: 'settings.edit' | 'events.edit'
}

const scopes: Scope[] = [
  { path: '/letters', params: {}, name: '', of: 'an email', view: 'settings.view', edit: 'settings.edit' },
  {
    path: '/events/:event_id/letters',
    params: IdParams('event_id').properties,
    name: 'Event',
    of: 'an email about an event',
    view: 'events.view',
    edit: 'events.edit',
  },
]

type Params = { event_id?: number; letter: string; language: string }

export const lettersApi = (ctx: AppContext) => async (app: Http) => {
  for (const scope of scopes) addRoutes(ctx, app, scope)
}

function addRoutes(ctx: AppContext, app: Http, { path, params, name, of, view, edit }: Scope): void {
  const letterPath = `${path}/:letter/:language`
  const schema = { tags: ['mail'], params: Type.Object({ ...params, ...letterParams }) }
  const viewing = { permission: view }
  const problems: ProblemCode[] = name === 'Event' ? ['EVENT_ARCHIVED'] : []
  const editing = { permission: edit, problems }

  app.get(
    path,
    {
      schema: {
        operationId: `list${name}Letters`,
        tags: schema.tags,
        summary: `List the texts of ${of}`,
        params: Type.Object(params),
        response: { 200: LetterList },
      },
      config: viewing,
    },
    async (request) => ({ letters: await listLetters(ctx.db, (await findEvent(ctx, request))?.id ?? null) }),
  )

  app.put(
    letterPath,
    {
      schema: {
        ...schema,
        operationId: `change${name}Letter`,
        summary: `Change the text of ${of}`,
        body: LetterTextBody,
        response: { 200: LetterRecord },
      },
      config: editing,
    },
    async (request) => changeLetter(ctx, toKey(request, await findEvent(ctx, request)), request.body),
  )

  app.delete(
    letterPath,
    {
      schema: {
        ...schema,
        operationId: `reset${name}Letter`,
        summary: `Restore the text of ${of}`,
        response: { 200: LetterRecord },
      },
      config: editing,
    },
    async (request) => changeLetter(ctx, toKey(request, await findEvent(ctx, request)), null),
  )

  app.get(
    `${letterPath}/html`,
    {
      schema: {
        ...schema,
        operationId: `preview${name}Letter`,
        summary: `Get ${of} as its recipient would see it`,
        response: { 200: MailPage },
      },
      config: viewing,
    },
    async (request, reply) => {
      const event = await findEvent(ctx, request)
      return showMailPage(reply, await previewLetter(ctx, await getLetter(ctx.db, toKey(request, event)), event))
    },
  )
}

type LetterRequest = Pick<FastifyRequest, 'caller' | 'params'>

/** Returns the event of the path; null for the texts of the instance. Throws NOT_FOUND and FORBIDDEN. */
async function findEvent(ctx: AppContext, { caller, params }: LetterRequest): Promise<EventRow | null> {
  const { event_id } = params as Params
  return event_id === undefined ? null : getOwnedEvent(ctx, caller, event_id)
}

/** Throws NOT_FOUND. */
function toKey({ params }: LetterRequest, event: EventRow | null): LetterKey {
  const { letter: name, language: tag } = params as Params
  const letter = letterNames.find((one) => one === name)
  const language = languages.find((one) => one === tag)
  if (!letter || !language) throw new AppError('NOT_FOUND')
  return { letter, language, eventId: event?.id ?? null }
}
