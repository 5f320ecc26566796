import type { ModelShape } from './document-types.js';

/** `UserResponseDto` and `company` make `UserResponseCompanyDto`, `UserResponse` makes `UserResponseCompany`. */
export function relatedName(name: string, property: string): string {
  return withinName(name, `${property.charAt(0).toUpperCase()}${property.slice(1)}`);
}

/** A name with an ending before its `Dto`. */
export function withinName(name: string, ending: string): string {
  const [, stem = name, dto = ''] = /^(.*?)(Dto)?$/.exec(name) ?? [];

  return `${stem}${ending}${dto}`;
}

/** The first of the names numbered from 2 that is free. */
export function firstFree(nameOf: (number: number) => string, isFree: (name: string) => boolean): string {
  for (let number = 2; ; number++) {
    const name = nameOf(number);
    if (isFree(name)) return name;
  }
}

/** Identifies a shape among those of one class. */
export function signatureOf({ omit, optional, related, inherited, renamed, sent }: ModelShape): string {
  const inner = [...(related ?? [])].map(([property, { shape }]) => `${property}(${signatureOf(shape)})`);
  const more = [...(inherited?.keys() ?? [])].map((property) => `+${property}`);
  const names = [...(renamed ?? [])].map((pair) => pair.join('='));
  const signature = `-${[...omit].sort().join()} ?${[...optional].sort().join()} ${inner.sort().join()}`;

  return [signature, ...more, ...names, ...[...(sent ?? [])].map((property) => `!${property}`)].join(' ');
}
