/** What the types of an OpenAPI document say about one operation. */

export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The paths of a document that have this method. */
export type PathOf<Paths, V extends Verb> = {
  [Path in keyof Paths & string]: Paths[Path] extends { [Method in Lowercase<V>]: { responses: unknown } }
    ? Path
    : never
}[keyof Paths & string]

export type OperationAt<Paths, Path extends keyof Paths, V extends Verb> = Paths[Path][Lowercase<V> & keyof Paths[Path]]

export type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? Exclude<Query, undefined>
  : never

type JsonIn<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never

export type BodyOf<Operation> = Operation extends { requestBody?: infer Body }
  ? JsonIn<Exclude<Body, undefined>>
  : never

/** The JSON of the success responses. */
export type ReplyOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses]: Status extends 200 | 201 | 202 ? JsonIn<Responses[Status]> : never }[keyof Responses]
  : never

/** Where the input of an operation is: in the JSON body, in the query, or nowhere. */
export type InputOf<Operation> = [BodyOf<Operation>] extends [never]
  ? [QueryOf<Operation>] extends [never]
    ? 'none'
    : 'query'
  : 'body'

type InputArguments<Operation> = {
  none: []
  query: [query?: QueryOf<Operation>]
  body: Operation extends { requestBody: unknown } ? [body: BodyOf<Operation>] : [body?: BodyOf<Operation>]
}[InputOf<Operation>]

type PathParameter<Operation, Name> = Operation extends { parameters: { path: infer Parameters } }
  ? Name extends keyof Parameters
    ? Parameters[Name]
    : never
  : never

/** The parameters of a path in its order, such as `[id: number, id: number]` of an event and its photo. */
export type PathArguments<Path, Operation> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [id: PathParameter<Operation, Name>, ...PathArguments<Rest, Operation>]
  : []

export type CallOptions = {
  signal?: AbortSignal
  /** How often this call is repeated; the default is that of the client. */
  retries?: number
  headers?: Record<string, string>
}

export type Arguments<Path, Operation, Options = CallOptions> = [
  ...PathArguments<Path, Operation>,
  ...InputArguments<Operation>,
  options?: Options,
]
