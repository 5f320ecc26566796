/** The public face of serialization: shaping responses, and asking what classes say of it. */
export { jsonProperty, type JsonRules, jsonRulesOf } from './serialize.js';
export { describesEnvelope, type ResponseShape, responseShape, serializeResponse } from './response-shape.js';
export {
  isCursorPage,
  isEnvelope,
  makeRecordSerializer,
  type SerializationTarget,
  serialize,
  type Serializer,
  shapeRecord,
} from './serialize.js';
