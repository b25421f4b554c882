import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Replication

/// Photos that were sent to the gateway, and the results for their records. The bytes are sent first: if the record is
/// refused afterwards, the gateway does not keep them.
struct SentPhotos: Sendable {
    private var photos: [(digest: BlobDigest, bytes: UInt64)] = []
    private var accepted: Set<RecordReference> = []
    /// Records that were refused, or taken away from this laptop.
    private var refused: Set<RecordReference> = []

    mutating func add(_ digest: BlobDigest, bytes: UInt64) { photos.append((digest, bytes)) }

    mutating func add(_ record: RecordReference, isAccepted: Bool) {
        if isAccepted { accepted.insert(record) } else { refused.insert(record) }
    }

    mutating func add(_ later: SentPhotos) {
        photos += later.photos
        accepted.formUnion(later.accepted)
        refused.formUnion(later.refused)
    }

    /// The photos that the gateway has now.
    func counted(in field: FieldDatabase) throws -> SyncReport.Photos {
        var report = SyncReport.Photos()
        guard !photos.isEmpty else { return report }
        // A record that was refused before, and is refused again, is not reported.
        let refused = refused.union(try field.refusedReferences()).subtracting(accepted)
        let lost: Set<BlobDigest> =
            refused.isEmpty
            ? [] : try field.photoDigests(of: refused).subtracting(try field.photoDigests(of: accepted))
        for photo in photos where !lost.contains(photo.digest) {
            report.count += 1
            report.bytes += photo.bytes
        }
        return report
    }
}

extension FieldDatabase {
    fileprivate func refusedReferences() throws -> [RecordReference] {
        try database.rejectedPushes().compactMap { push in
            RecordKind(collection: push.collection).map { RecordReference($0, id: push.documentID) }
        }
    }

    /// A record that is not here any more may be in the quarantine.
    fileprivate func photoDigests(of references: Set<RecordReference>) throws -> Set<BlobDigest> {
        var digests: Set<BlobDigest> = []
        var missing: Set<RecordReference> = []
        for (kind, group) in Dictionary(grouping: references, by: \.kind) where [.inspection, .finding].contains(kind) {
            for (reference, stored) in zip(group, try collection(of: kind).bodies(of: group.map(\.id))) {
                if let stored, !stored.isDeleted {
                    digests.formUnion(try JSONObject(parsing: stored.body).photoDigests)
                } else {
                    missing.insert(reference)
                }
            }
        }
        guard !missing.isEmpty else { return digests }
        for kept in try quarantine.all() {
            if let kind = kept.kind, missing.contains(RecordReference(kind, id: kept.documentID)) {
                digests.formUnion(kept.body.photoDigests)
            }
        }
        return digests
    }
}

extension JSONObject {
    fileprivate var photoDigests: [BlobDigest] {
        (self["photos"]?.arrayValue ?? []).compactMap { photo in
            photo["blob"]?[BlobMetadata.digestProperty]?.stringValue.flatMap(BlobDigest.init)
        }
    }
}
