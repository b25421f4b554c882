import Foundation

/// Blobs as plain files.
package struct PlainBlobStorageProvider: BlobStorageProvider {
    package let kind = BlobStorageKind.plain

    package init() {}

    package func open(folder: URL) throws -> any BlobStorage { preconditionFailure() }
}
