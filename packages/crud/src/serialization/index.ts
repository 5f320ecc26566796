/** The public face of serialization: shaping responses, and asking what class-transformer lets out. */
export { exposedPaths } from './exposed-paths.js';
export { jsonProperty, type JsonRules, jsonRulesOf } from './json-rules.js';
export { describesEnvelope, type ResponseShape, responseShape, serializeResponse } from './response-shape.js';
export { isEnvelope, type SerializationTarget, serialize, type Serializer, serializerOf } from './serialize.js';
