/** Thrown when the database cannot be reached or does not respond in time. Nothing was written. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseUnavailable'
  }
}

/** Thrown when the connection is lost during a write, so that it is unknown whether the write was committed. */
export class OutcomeUnknown extends DatabaseUnavailable {}
