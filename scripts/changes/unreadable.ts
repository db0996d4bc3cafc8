/** What keeps a file or a revision from being read, with the cure: one sentence for the user. */
export class Unreadable extends Error {}
