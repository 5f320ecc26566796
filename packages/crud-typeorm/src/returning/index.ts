/** Writes whose one statement also answers: the seam by which the plain way, which specifies them, hands over what they cover. */
export { insertReturning } from './insert.js';
export { updateReturning } from './update.js';
