/** The project's own lint rules: a file opens with a sentence, `any` gives its reason, a name says what it names. */

const VAGUE = /(^|[-._])(helpers?|utils?|managers?|data|info)([-._]|$)/i;

/** A file opens with a comment that says what comes in, what goes out and what it may refuse. */
const opensWithSentence = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      missing: 'A file opens with one sentence in a comment: what comes in, what goes out, what it may refuse.',
    },
  },
  create(context) {
    return {
      Program(node) {
        const first =
          context.sourceCode.getTokenBefore(node, { includeComments: true }) ?? firstThing(context.sourceCode);
        if (first?.type !== 'Block' && first?.type !== 'Line') context.report({ node, messageId: 'missing' });
      },
    };
  },
};

function firstThing(sourceCode) {
  const comment = sourceCode.getAllComments().find(({ type }) => type !== 'Shebang');
  const token = sourceCode.ast.tokens[0];
  return comment && (!token || comment.range[0] < token.range[0]) ? comment : token;
}

/** `any` is allowed where a comment beside it, on its line or the line above, says why. */
const anyWithReason = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { reason: 'Say in a comment beside it why this is `any`, or use `unknown`.' },
  },
  create(context) {
    const lines = new Set();
    for (const { loc } of context.sourceCode.getAllComments()) {
      for (let line = loc.start.line; line <= loc.end.line; line += 1) lines.add(line);
    }
    return {
      TSAnyKeyword(node) {
        const { line } = node.loc.start;
        if (!lines.has(line) && !lines.has(line - 1)) context.report({ node, messageId: 'reason' });
      },
    };
  },
};

/** No file is called helper, util, manager, data or info: such a name says nothing. */
const tellingFileName = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { vague: '"{{name}}" says nothing about what is in the file.' },
  },
  create(context) {
    return {
      Program(node) {
        const name = context.filename.split(/[\\/]/).at(-1) ?? '';
        if (VAGUE.test(name)) context.report({ node, messageId: 'vague', data: { name } });
      },
    };
  },
};

export const houseRules = {
  rules: {
    'opens-with-sentence': opensWithSentence,
    'any-with-reason': anyWithReason,
    'telling-file-name': tellingFileName,
  },
};
