import { Type } from 'typebox'
import { CategoryRecord, ChangeCategoryBody, CreateCategoryBody } from '../../../contract/categories.ts'
import { Id, IdParams } from '../../../contract/shapes.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { getOwnedEvent } from '../event-ownership.ts'
import { categoryRecord, changeCategory, createCategory, deleteCategory, listCategories } from './categories.ts'

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

  app.get(
    '/categories/event/:event_id',
    {
      schema: {
        operationId: 'listEventCategories',
        tags,
        summary: 'List the categories for photos of an event',
        params: IdParams('event_id'),
        response: { 200: CategoryList },
      },
      config: { permission: 'events.view' },
    },
    async (request) => {
      const event = await getOwnedEvent(ctx, request.caller, request.params.event_id)
      return (await listCategories(ctx, event.id)).map(categoryRecord)
    },
  )

  app.post(
    '/categories',
    {
      schema: {
        operationId: 'createCategory',
        tags,
        summary: 'Create a category',
        body: CreateCategoryBody,
        response: { 201: CategoryRecord },
      },
      config: { permission: 'events.edit', problems: ['NOT_FOUND', 'EVENT_ARCHIVED'] },
    },
    async (request, reply) =>
      reply.code(201).send(categoryRecord(await createCategory(ctx, request.caller, request.body))),
  )

  app.put(
    '/categories/:category_id',
    {
      schema: {
        operationId: 'changeCategory',
        tags,
        summary: 'Change a category',
        params: IdParams('category_id'),
        body: ChangeCategoryBody,
        response: { 200: CategoryRecord },
      },
      config: { permission: 'events.edit', problems: ['EVENT_ARCHIVED'] },
    },
    async (request) =>
      categoryRecord(await changeCategory(ctx, request.caller, request.params.category_id, request.body)),
  )

  app.delete(
    '/categories/:category_id',
    {
      schema: {
        operationId: 'deleteCategory',
        tags,
        summary: 'Delete a category; its photos are kept',
        params: IdParams('category_id'),
        response: { 200: Type.Object({ id: Id, deleted: Type.Boolean() }) },
      },
      config: { permission: 'events.edit', problems: ['CATEGORY_IN_USE', 'EVENT_ARCHIVED'] },
    },
    async (request) => {
      await deleteCategory(ctx, request.caller, request.params.category_id)
      return { id: request.params.category_id, deleted: true }
    },
  )
}
