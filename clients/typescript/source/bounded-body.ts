import { unexpectedResponse } from './problem.ts'

/** More than any answer in JSON has. */
const maxBytes = 67_108_864

/** Returns the response with a body that ends with a ProofroomError after 64 MB. */
export function withBoundedBody(response: Response): Response {
  if (response.body === null) return response
  let received = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      received += bytes.length
      if (received > maxBytes) throw unexpectedResponse(response, 'is larger than 64 MB')
      controller.enqueue(bytes)
    },
  })
  return new Response(response.body.pipeThrough(counted), response)
}

/** Throws ProofroomError for more than 64 MB, and SyntaxError. */
export const readJson = async <T>(response: Response): Promise<T> => (await withBoundedBody(response).json()) as T
