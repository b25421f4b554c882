import DocumentStore
import DocumentValues
import FieldModels

/// Photos and other files of records that are not on this laptop: they come later, or on request.
public struct AbsentPhotos: RecordService {
    let store: RecordStore

    /// A record some of whose files are not here.
    public struct Owner: Sendable, Hashable {
        public let reference: RecordReference
        /// The number of its change on this laptop, for the next portion.
        package let sequence: UInt64
        public let files: Int
        /// As far as their lengths are known.
        public let bytes: UInt64
    }

    /// The kinds of records whose files may come later. Those of a form are needed to fill it, and come with it.
    public static let kinds: [RecordKind] = [.inspection, .finding, .response]

    /// Whether it can be found out without opening the key, which may ask for the passphrase.
    ///
    /// - Throws: `StoreError` if the folder is closed.
    public var areKnown: Bool {
        get throws { try database.blobStorage().access == .open }
    }

    /// The records of a kind with absent files, those that changed last first.
    ///
    /// - Parameter sequence: only records that changed before; `nil` for all.
    /// - Throws: `StoreError` if the folder is closed, or its key is not here.
    package func owners(
        of kind: RecordKind, before sequence: UInt64? = nil, limit: Int = .max
    ) throws -> [Owner] {
        try collection(of: kind).documentsLackingBlobs(before: sequence, limit: limit).map { document in
            Owner(
                reference: RecordReference(kind, id: document.documentID), sequence: document.sequence,
                files: document.blobs.count, bytes: document.blobs.reduce(0) { $0 + ($1.length ?? 0) })
        }
    }

    /// How many files are absent, and their bytes.
    ///
    /// - Throws: `StoreError` if the folder is closed, or its key is not here.
    public func count() throws -> (files: Int, bytes: UInt64) {
        try Self.kinds.reduce(into: (0, 0)) { sum, kind in
            for owner in try owners(of: kind) {
                sum.0 += owner.files
                sum.1 += owner.bytes
            }
        }
    }

    /// Whether a file is here, whole.
    ///
    /// - Throws: `StoreError` if the folder is closed, or its key is not here.
    public func isHere(_ photo: Photo) throws -> Bool { try database.blobStorage().isWhole(photo.blob) }
}
