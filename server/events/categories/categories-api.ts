import { Type } from 'typebox'
import {
  CategoryRecord,
  ChangeCategoryBody,
  CreateCategoryBody,
  CreateEventCategoryBody,
  OrderCategoriesBody,
} from '../../../contract/categories.ts'
import { IdempotencyHeaders } from '../../../contract/idempotency.ts'
import { Created, Id, IdParams, ParamsWithEvent } from '../../../contract/shapes.ts'
import { oncePerKey } from '../../access/idempotent-request.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { getOwnedEvent } from '../event-ownership.ts'
import {
  type CategoryToChange,
  categoryRecord,
  changeCategory,
  createCategory,
  deleteCategory,
  getCategoryOf,
  listCategories,
} from './categories.ts'
import { orderCategories } from './order-categories.ts'

const tags = ['categories']
const CategoryList = Type.Array(CategoryRecord)

export const categoriesAdminApi = (ctx: PlatformContext) => async (app: Http) => {
  app.get(
    '/categories/global',
    {
      schema: {
        operationId: 'listGlobalCategories',
        tags,
        summary: 'List global categories',
        response: { 200: CategoryList },
      },
      config: { permission: 'events.view' },
    },
    async () => (await listCategories(ctx, null)).map(categoryRecord),
  )

  app.post(
    '/categories',
    {
      schema: {
        operationId: 'createCategory',
        tags,
        summary: 'Create a category',
        body: CreateCategoryBody,
        response: { 201: Created(CategoryRecord) },
      },
      config: { permission: 'events.edit', problems: ['NOT_FOUND', 'EVENT_ARCHIVED'] },
    },
    async (request, reply) =>
      reply.code(201).send(categoryRecord(await createCategory(ctx, request.caller, request.body))),
  )

  app.put(
    '/categories/event/:event_id/order',
    {
      schema: {
        operationId: 'orderCategories',
        tags,
        summary: 'Change the order of the categories of an event',
        description:
          'Changes all categories or none. The response is the list of the categories, with the global ones first. ' +
          'If the list is not that of the event any more, the response is 409 `INVALID_STATE`: load the categories again.',
        params: IdParams('event_id'),
        body: OrderCategoriesBody,
        response: { 200: CategoryList },
      },
      config: { permission: 'events.edit', problems: ['EVENT_ARCHIVED', 'INVALID_STATE'] },
    },
    async ({ caller, params, body }) => {
      const event = await getOwnedEvent(ctx, caller, params.event_id)
      await orderCategories(ctx, event.id, body.category_ids)
      return (await listCategories(ctx, event.id)).map(categoryRecord)
    },
  )
}

/** Part of both APIs, at different paths. */
export const eventCategoriesApi = (ctx: PlatformContext, path: string) => async (app: Http) => {
  app.get(
    path,
    {
      schema: {
        operationId: 'listEventCategories',
        tags,
        summary: 'List the categories for photos of an event',
        params: IdParams('event_id'),
        response: { 200: CategoryList },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      return (await listCategories(ctx, event.id)).map(categoryRecord)
    },
  )
}

/** Part of both APIs. The public API changes only categories of the event in its path, never global ones. */
export const categoryChangesApi = (ctx: PlatformContext) => async (app: Http) => {
  app.put(
    '/categories/:category_id',
    {
      schema: {
        operationId: 'changeCategory',
        tags,
        summary: 'Change a category',
        params: ParamsWithEvent('category_id'),
        body: ChangeCategoryBody,
        response: { 200: CategoryRecord },
      },
      config: { scope: 'write', permission: 'events.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async (request) =>
      categoryRecord(await changeCategory(ctx, request.caller, toCategory(request.params), request.body)),
  )

  app.delete(
    '/categories/:category_id',
    {
      schema: {
        operationId: 'deleteCategory',
        tags,
        summary: 'Delete a category; its photos are kept',
        params: ParamsWithEvent('category_id'),
        response: { 200: Type.Object({ id: Id, deleted: Type.Boolean() }) },
      },
      config: { scope: 'admin', permission: 'events.edit', problems: ['CATEGORY_IN_USE', 'EVENT_ARCHIVED'] },
    },
    async (request) => {
      await deleteCategory(ctx, request.caller, toCategory(request.params))
      return { id: request.params.category_id, deleted: true }
    },
  )
}

/** The public API creates only categories of an event. */
export const categoriesPublicApi = (ctx: PlatformContext) => async (app: Http) => {
  app.post(
    '/categories',
    {
      schema: {
        operationId: 'createCategory',
        tags,
        summary: 'Create a category of an event',
        headers: IdempotencyHeaders,
        params: IdParams('event_id'),
        body: CreateEventCategoryBody,
        response: { 201: Created(CategoryRecord) },
      },
      config: { scope: 'write', permission: 'events.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async (request, reply) => {
      const { caller, params } = request
      const { name, allow_downloads, sort_order } = request.body
      const fields = { name, allow_downloads, sort_order }
      const category = await oncePerKey(ctx, request, reply, fields, {
        first: (record) =>
          createCategory(ctx, caller, { ...fields, event_id: params.event_id }, (tx, id) =>
            record(tx, { status: 201, id }),
          ),
        again: ({ id }) => getCategoryOf(ctx, caller, params.event_id, id),
      })
      return reply.code(201).send(categoryRecord(category))
    },
  )
}

type CategoryParams = { category_id: number; event_id?: number | undefined }

const toCategory = ({ category_id: id, event_id: eventId }: CategoryParams): CategoryToChange => ({ id, eventId })
