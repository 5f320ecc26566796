/** A document in, the complaint of an independent validator or nothing out; a worker of its own, since Jest cannot load the validator's modules on Node 20. */
import { parentPort } from 'node:worker_threads';
import SwaggerParser from '@apidevtools/swagger-parser';

parentPort.on('message', async ({ number, document }) => {
  try {
    await SwaggerParser.validate(document);
    parentPort.postMessage({ number });
  } catch (error) {
    parentPort.postMessage({ number, complaint: String(error.message) });
  }
});
