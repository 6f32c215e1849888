import { createClient, type TestClient } from '../clients/test-client.ts'
import type { TestService } from '../service/test-service.ts'

export type TestCustomer = { id: number; name: string; email: string; password: string }

let customers = 0

export async function createCustomer(admin: TestClient, body: Record<string, unknown> = {}): Promise<TestCustomer> {
  const number = ++customers
  const customer = {
    name: `Customer ${number}`,
    email: `customer-${number}@example.com`,
    password: `opens-albums-${number}`,
    ...body,
  }
  const response = await admin.post('/api/admin/customers', customer)
  if (response.status !== 201) throw new Error(`The customer was not created: ${JSON.stringify(response.body)}`)
  return { ...customer, id: response.body.id }
}

export const assignmentPath = (customer: { id: number }, event: { id: number }): string =>
  `/api/admin/customers/${customer.id}/events/${event.id}`

export const signInCustomer = ({ anonymous }: TestService, email: string, password: string) =>
  anonymous.post('/api/customer/auth/login', { email, password })

export async function signInAsCustomer(service: TestService, { email, password }: TestCustomer): Promise<TestClient> {
  const { body } = await signInCustomer(service, email, password)
  return createClient(service.url, body.token)
}

export async function enterAsCustomer(service: TestService, customer: TestClient, slug: string): Promise<TestClient> {
  const response = await customer.post(`/api/customer/events/${slug}/access-token`, {})
  if (response.status !== 200) throw new Error(`The customer did not enter: ${JSON.stringify(response.body)}`)
  return createClient(service.url, response.body.token)
}
