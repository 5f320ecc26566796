/**
 * Puts what a spec file does behind its imports into a `describe` of its own, so that its hooks are for its tests alone when it
 * is imported by another file of its group.
 */
const IMPORTS = /^(?:(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/.*\n)*import\b[^;]*;)*/;

/** Whether a file can be wrapped so: it exports nothing, and awaits nothing. */
const fits = (source) => !/^(?:export|await)\b/m.test(source);

/** On the same lines, so that errors name the right ones. */
function inDescribe(source, title) {
  const [imports] = IMPORTS.exec(source);

  return `${imports} import { describe as inFile } from '@jest/globals'; inFile(${JSON.stringify(title)}, () => {${source.slice(imports.length)}\n});`;
}

module.exports = { fits, inDescribe };
