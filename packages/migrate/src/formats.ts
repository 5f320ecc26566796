/** `query.formats` of resources: transforms of their entities that change no more than the form of a value. */
import type { PropertyDeclaration, SourceFile } from 'ts-morph';
import { findCalls, findOption } from './crud-options.js';
import type { Edits } from './edits.js';
import { type Classes, readProperties } from './entity-classes.js';
import { guide } from './names.js';
import { addOptions } from './option-trees.js';
import { isFormat } from './transforms.js';

const COMMENT = {
  what: 'so that clients can filter and sort as before, add',
  link: guide('migration-reads.md#hidden-properties'),
};

/** Adds `query.formats` to the resources of a file; returns the properties that they name. */
export function addFormats(source: SourceFile, classes: Classes, edits: Edits): PropertyDeclaration[] {
  const quote = source.getImportDeclarations()[0]?.getModuleSpecifier().getText()[0] ?? "'";

  return findCalls(source, 'Crud').flatMap((call) => {
    const [options] = call.getArguments();
    const formats = readProperties(classes, findOption(options, 'model', 'type')?.getText()).filter(
      (property) => isColumn(property) && isFormat(property),
    );
    if (formats.length > 0) {
      const names = formats.map((property) => quote + property.getName() + quote);
      addOptions(options!, { query: { formats: `[${names.join(', ')}]` } }, edits, COMMENT);
    }

    return formats;
  });
}

function isColumn(property: PropertyDeclaration): boolean {
  return property.getDecorators().some((each) => /Column$/.test(each.getName()));
}
