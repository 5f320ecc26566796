import { getOrInsert } from '@nestwright/crud/adapter';

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

const nextNumber = (): number => (lastNumber += 1);

export function getObjectNumber(object: object): number {
  return getOrInsert(numbers, object, nextNumber);
}
