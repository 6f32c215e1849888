/** What keeps data from being moved, in a sentence for the operator. */
export class MoveProblem extends Error {}
