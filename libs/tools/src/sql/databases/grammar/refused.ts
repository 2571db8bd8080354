/** Thrown while a statement is read; `token` is the part of it that is refused. */
export class Refused extends Error {
  constructor(
    readonly token: string,
    readonly reason: string,
  ) {
    super(reason);
  }
}
