/** Changes of one text: which of them count, where lines and comments come. */
import { expect, test } from '@jest/globals';
import { type Node, Project, type SourceFile } from 'ts-morph';
import { Edits } from '../src/edits.js';

const project = new Project({ useInMemoryFileSystem: true });
const edited = (text: string, change: (edits: Edits, source: SourceFile) => void) => {
  const source = project.createSourceFile('a.ts', text, { overwrite: true });
  const edits = new Edits(source);
  change(edits, source);
  return edits.result();
};
const last = (source: SourceFile) => source.getStatements().at(-1)!;

test.each([
  ['2-4 0-2', '##ef'],
  ['0-2 4-6 1-3 3-5', '#cd#'],
  ['4-6 1-3', 'a#d#'],
])('of changes at %s, the first of those that overlap count: %s', (places, after) => {
  const ends = places.split(' ').map((place) => place.split('-').map(Number) as [from: number, to: number]);
  expect(edited('abcdef', (edits) => ends.forEach(([from, to]) => edits.replace(from, to, '#')))).toBe(after);
});

test.each(['\n', '\r\n'])('lines above and below a statement have the end that others have: %j', (end) => {
  const lines = (...all: string[]) => all.join(end);
  const change = (edits: Edits, source: SourceFile) => {
    const [first] = source.getStatements();
    edits.appendLines(first!, 'x;\ny;');
    edits.insertLine(first!.getStart(), 'w;');
    edits.insert(first!.getStart(), '(\n)');
  };
  const after = ['w;', '(', ')a; // b', 'x;', 'y;'];
  expect(edited(lines('a; // b', 'c;'), change)).toBe(lines(...after, 'c;'));
  expect(edited(lines('', 'a; // b'), change)).toBe(lines('', ...after));
});

test.each([
  ['a;  \n\nb;', '\nb;'],
  ['a;', ''],
])('a statement is removed with the end of its line: %j', (before, after) =>
  expect(edited(before, (edits, source) => edits.removeLine(source.getStatements()[0]!))).toBe(after),
);

test.each<[string, (source: SourceFile) => Node, string]>([
  ['a\nb', (source) => source.getStatements()[0]!, '#\na\nb'],
  ['a(\n  b,\n)`c`;', (source) => source.getDescendantAtPos(4)!, 'a(\n  #\n  b,\n)`c`;'],
  ['// nestwright: is b; see a\nx;\na;', last, '// nestwright: is b; see a\nx;\n#\na;'],
  ['// d\n// nestwright: is b; see c\na;', last, '// d\n// nestwright: is b; see c\n#\na;'],
])('a comment stands above the line of its place: %j', (text, find, after) => {
  const mark = (edits: Edits, source: SourceFile) => {
    for (const link of ['a', 'a', 'c']) edits.mark(find(source), 'is b', link);
  };
  const wanted = after.replace(/(.*)#(\r?\n)/, '$1// nestwright: is b; see a$2$1// nestwright: is b; see c$2');
  const once = edited(text, mark);
  expect(once).toBe(text.includes('see c') ? after.replace('#', '// nestwright: is b; see a') : wanted);
  expect(edited(once, mark)).toBe(once);
});
