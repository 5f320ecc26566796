/** An object in, a number out that no other object has, the same as long as the object lives: what stands for it in the keys of caches. */

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
