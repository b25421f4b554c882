/// A storage whose blobs can be read without their digests, also those that no document refers to.
protocol CopiedBlobs {
    /// Calls `body` with each blob; a file that is none of the storage's is an error.
    func forEachBlob(_ body: (any BlobReader) throws -> Void) throws
}
