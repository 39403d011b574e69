// Documents of the work: build and check them.
export {
  type BuiltDocument,
  buildDocument,
  buildInlineDocument,
  buildTaskDocument,
  type DocumentFields,
} from '../documents/buildDocument.ts';
export {
  type DocumentReference,
  type DocumentView,
  deliveryReference,
  evidenceReference,
  type FileLookup,
  readDocument,
  rulingReference,
  viewDocument,
} from '../documents/viewDocument.ts';
export {
  type Artifact,
  artifactSchema,
  taskDocumentSchema,
  type WorkDocument,
  workDocumentSchema,
} from '../schemas/documents.ts';
