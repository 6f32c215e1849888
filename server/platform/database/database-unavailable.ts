/** Thrown when the database cannot be reached, or is too busy to answer in time; nothing was written. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseUnavailable'
  }
}

/** Thrown when the connection was lost before a change was answered: it may stand, or not. */
export class OutcomeUnknown extends DatabaseUnavailable {}
