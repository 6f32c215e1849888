/** An expected failure of a move. The message is for the operator. */
export class MoveProblem extends Error {}
