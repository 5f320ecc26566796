/** `@Transform()` on properties of entities: which change the form of a value alone, and which its meaning, too. */
import { type Decorator, Node, type PropertyDeclaration } from 'ts-morph';
import { findOption } from './crud-options.js';

/** Exactly these, since anything else may hide part of a value. */
const FORMATS = new Set(['Number(value)', 'parseFloat(value)', 'value.toISOString()']);

/** The transforms of a property that change answers. */
export function readTransforms(property: PropertyDeclaration): Decorator[] {
  return property
    .getDecorators()
    .filter((each) => each.getName() === 'Transform')
    .filter((each) => findOption(each.getArguments()[1], 'toClassOnly')?.getText() !== 'true');
}

/** Whether a property has one transform, which clients need not know: `@Transform(({ value }) => Number(value))`. */
export function isFormat(property: PropertyDeclaration): boolean {
  const [transform, ...others] = readTransforms(property);
  const [change, options] = transform?.getArguments() ?? [];
  if (others.length > 0 || !Node.isArrowFunction(change)) return false;
  const [parameter, ...more] = change.getParameters();

  return (
    more.length === 0 &&
    /^\{\s*value\s*\}$/.test(parameter?.getNameNode().getText() ?? '') &&
    FORMATS.has(change.getBody().getText()) &&
    (options === undefined || /^\{\s*toPlainOnly: true,?\s*\}$/.test(options.getText()))
  );
}
