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
