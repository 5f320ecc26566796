/** The public face of the room: what the answers to a request show. */
export { type Answer, itemAnswer, OWN_ANSWER } from './answers.js';
export { type Appearance, type FindAppearance, findAppearances, findClassAppearances } from './appearances.js';
export { listProperties } from './levels.js';
export { isShownByClass, judgeForAnybody, judgePaths, walkPlace } from './path-states.js';
export { formatsWhatIsTransformed, warnOfHidden, warnOfWrites } from './start-warnings.js';
export { isExposed, nameInAnswer, readOptions, readRule } from './property-rule.js';
