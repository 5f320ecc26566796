const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** The number of an object. */
export function numberOf(object: object): number {
  let number = numbers.get(object);

  if (number === undefined) {
    lastNumber += 1;
    number = lastNumber;
    numbers.set(object, number);
  }

  return number;
}
