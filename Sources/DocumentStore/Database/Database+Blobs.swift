import DocumentValues
import Foundation

extension Database {
    /// Stores a blob's content without a document; unless a document comes to refer to it, compacting removes it.
    ///
    /// - Throws: `.invalidParameter` for a blob without content, and for one that another database has stored; `.missingBlob`
    ///   if the content of a stored one was purged since; `.ioError` if its file or stream cannot be read, `.diskFull` and
    ///   `.notWritable` if it cannot be stored; `.notOpen` if the database is closed.
    public func saveBlob(blob: Blob) throws { try blob.install(in: self) }

    /// The blob that a dictionary represents, such as ``Blob/properties``; `nil` if its content is not here.
    ///
    /// - Parameter properties: `@type` with the value `blob` and the `digest`; `length` and `content_type` if they are known.
    /// - Throws: `.invalidParameter` if the dictionary does not represent a blob; `.notOpen` if the database is closed.
    public func getBlob(properties: [String: Any]) throws -> Blob? {
        guard Blob.isBlob(properties: properties),
            case .dictionary(let node) = ValueConversion.node(properties, origin: ValueOrigin(self)),
            case .object(let object) = NodeValue.dictionary(node).json, var metadata = BlobMetadata(object)
        else {
            throw StoreError(
                .invalidParameter, message: "The dictionary describes no blob.",
                hint: "It needs '@type' with the value 'blob', and the 'digest' of a stored blob, as in 'sha1-…'.")
        }
        guard let length = try core().blobs.length(of: metadata.digest) else { return nil }
        metadata.length = length
        return Blob(metadata, object: object, origin: ValueOrigin(self))
    }

    /// The storage of all blobs, for the replicator and for tools.
    package func blobStorage() throws -> any BlobStorage { try core().blobs }

    /// Calls `body` with the type that keeps the blobs, for a change of how it does. The database is not closed in the
    /// meantime.
    package func withBlobStorage<Value>(_ body: (any BlobStorage) throws -> Value) throws -> Value {
        let core = try core()
        return try core.call { try body(core.storedBlobs) }
    }

    /// For the few errors that have no caller to whom they could be thrown.
    func report(_ error: any Error, message: String) {
        LibraryLog.database.error("\(message) (database \(name)): \(error)")
    }
}
