/** The text has the character U+0000, which the ledger's engine cannot store. Nothing was changed. */
export class UnstorableText extends Error {
  override readonly name = 'UnstorableText';
  constructor() {
    super('the character U+0000 cannot be stored');
  }
}
