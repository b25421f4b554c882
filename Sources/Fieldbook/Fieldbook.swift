/// The library: databases of documents, sealed attachments, replication. Its names are those of Couchbase Lite for Swift.
@_exported import AttachmentVault
@_exported import DocumentStore
@_exported import Replication
