import { Type } from 'typebox'
import { ChangeCustomerBody, CreateCustomerBody, CustomerList, CustomerRecord } from '../../../contract/customers.ts'
import { IdempotencyHeaders } from '../../../contract/idempotency.ts'
import { Created, Id, IdParams, PageQuery } from '../../../contract/shapes.ts'
import { oncePerKey } from '../../access/idempotent-request.ts'
import type { Http } from '../../platform/http/create-http.ts'
import type { PlatformContext } from '../../platform/platform-context.ts'
import { assignEvent, withdrawEvent } from './assign-event.ts'
import { getVisibleCustomer } from './customer-ownership.ts'
import { changeCustomer, createCustomer, deleteCustomer } from './customers.ts'
import { customerRecord, listCustomers } from './list-customers.ts'

const tags = ['customers']
/** Part of both APIs. */
export const customersApi = (ctx: PlatformContext) => async (app: Http) => {
  app.get(
    '/customers',
    {
      schema: {
        operationId: 'listCustomers',
        tags,
        summary: 'List your customers',
        querystring: PageQuery,
        response: { 200: CustomerList },
      },
      config: { scope: 'read', permission: 'events.view' },
    },
    (request) => listCustomers(ctx, request.caller, request.query),
  )

  app.post(
    '/customers',
    {
      schema: {
        operationId: 'createCustomer',
        tags,
        summary: 'Create a customer',
        headers: IdempotencyHeaders,
        body: CreateCustomerBody,
        response: { 201: Created(CustomerRecord) },
      },
      config: { scope: 'write', permission: 'events.edit', problems: ['CUSTOMER_EXISTS'] },
    },
    async (request, reply) => {
      const { caller, body } = request
      const { name, email, password } = body
      const customer = await oncePerKey(
        ctx,
        request,
        reply,
        { name, email, password },
        {
          first: (record) => createCustomer(ctx, caller, body, (tx, id) => record(tx, { status: 201, id })),
          again: ({ id }) => getVisibleCustomer(ctx, caller, id),
        },
      )
      return reply.code(201).send(await customerRecord(ctx, request.caller, customer))
    },
  )

  app.patch(
    '/customers/:customer_id',
    {
      schema: {
        operationId: 'changeCustomer',
        tags,
        summary: 'Change a customer; a new password or a deactivation ends all sessions',
        params: IdParams('customer_id'),
        body: ChangeCustomerBody,
        response: { 200: CustomerRecord },
      },
      config: { scope: 'write', permission: 'events.edit', problems: ['CUSTOMER_EXISTS'] },
    },
    async (request) => {
      const customer = await changeCustomer(ctx, request.caller, request.params.customer_id, request.body)
      return customerRecord(ctx, request.caller, customer)
    },
  )

  app.delete(
    '/customers/:customer_id',
    {
      schema: {
        operationId: 'deleteCustomer',
        tags,
        summary: 'Delete a customer; the feedback of the customer is kept',
        params: IdParams('customer_id'),
        response: { 200: Type.Object({ id: Id, deleted: Type.Boolean() }) },
      },
      config: { scope: 'admin', permission: 'events.edit' },
    },
    async (request) => {
      await deleteCustomer(ctx, request.caller, request.params.customer_id)
      return { id: request.params.customer_id, deleted: true }
    },
  )

  const params = IdParams('customer_id', 'event_id')
  const operations = [
    {
      method: 'PUT',
      scope: 'write',
      problems: ['EVENT_ARCHIVED'],
      operation: assignEvent,
      operationId: 'assignEvent',
      summary: 'Assign an event to a customer',
    },
    {
      method: 'DELETE',
      scope: 'admin',
      problems: [],
      operation: withdrawEvent,
      operationId: 'withdrawEvent',
      summary: 'Remove an event from a customer',
    },
  ] as const
  for (const { method, scope, problems, operation, operationId, summary } of operations) {
    app.route({
      method,
      url: '/customers/:customer_id/events/:event_id',
      schema: { operationId, tags, summary, params, response: { 200: CustomerRecord } },
      config: { scope, permission: 'events.edit', problems: [...problems] },
      handler: async ({ caller, params: { customer_id: customerId, event_id: eventId } }) =>
        customerRecord(ctx, caller, await operation(ctx, caller, { customerId, eventId })),
    })
  }
}
