/** A text was to be stored that the ledger's engine has no place for: it has the character U+0000. Nothing was changed. */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText';
  constructor() {
    super('the character U+0000 cannot be stored');
  }
}
