import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any code point but halves of surrogate pairs, as the `unit` of `fc.string`: what `unit: 'binary'` gives, without the seconds that
 * fast-check takes to look up all of them.
 */
export const anyCharacter = fc
  .nat(0x10ffff - SURROGATES.count)
  .map((at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count));
