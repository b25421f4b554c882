import AttachmentVault
import DocumentStore
import DocumentValues
import FieldModels
import Foundation

/// The remedy for a folder whose passphrase is forgotten. Photos, edits in the quarantine and the password for the
/// gateway are sealed with it; the records are not.
public struct ForgottenPassphrase: RecordService {
    let store: RecordStore
    let journal: ChangeJournal
    let folder: FieldFolder
    let signIn: SignIn

    /// The photos that are on this laptop alone.
    public func unsentPhotos() throws -> [UnsentPhotos] {
        let holders = try photoHolders()
        // The same picture may have been sent with another record.
        let sent = try holders.reduce(into: Set<BlobDigest>()) { sent, holder in
            sent.formUnion(try sentPhotos(of: holder))
        }
        let titles = RecordTitles(store)
        return try holders.compactMap { holder -> UnsentPhotos? in
            let unsent = holder.photos.filter { !sent.contains($0.blob.digest) }
            guard !unsent.isEmpty else { return nil }
            let title = try titles.title(of: holder.record.kind, holder.body)
            return UnsentPhotos(record: holder.record, title: title ?? holder.record.shortID, photos: unsent)
        }
    }

    /// Gives up the data sealed with the forgotten passphrase, for a folder that is open as ``FieldDatabase/openLocked(at:)``
    /// opens it. The sealed files get another folder, and this one takes the key of the next opening. Photos that no gateway
    /// has are taken out of their records: no gateway takes a record without its photos.
    ///
    /// - Parameter lost: as ``unsentPhotos()`` gives them.
    /// - Returns: the folder of the sealed files, and the number of edits of the quarantine among them.
    public func giveUp(
        losing lost: [UnsentPhotos], at moment: Timestamp
    ) throws -> (folder: URL, edits: Int) {
        var settings = try FolderSettings(of: folder)
        let author = Author(
            name: try settings.user ?? signIn.owner(), moment: moment, device: settings.device ?? DeviceName.host)
        // Before the files go: a crash in between leaves a folder that is locked as before, for another try.
        for record in lost { try takeOut(record, by: author) }
        // `undo` must not bring back a photo that no laptop has.
        try journal.noteWhole("passphrase --forgotten", by: author)
        let moved = try database.moveLockedAttachments()
        settings.sealedPassword = nil
        try settings.save(in: folder)
        return (moved.folder, moved.rows)
    }

    private struct PhotoHolder {
        let record: RecordReference
        let body: JSONObject
        let photos: [Photo]
    }

    private func photoHolders() throws -> [PhotoHolder] {
        let ofInspections = try inspections.all().records.map { record in
            PhotoHolder(
                record: RecordReference(.inspection, id: record.id), body: record.object, photos: record.photos)
        }
        let ofFindings = try findings.all().records.map { record in
            PhotoHolder(record: RecordReference(.finding, id: record.id), body: record.object, photos: record.photos)
        }
        return (ofInspections + ofFindings).filter { !$0.photos.isEmpty }
    }

    /// Which pictures a gateway has with this record.
    private func sentPhotos(of holder: PhotoHolder) throws -> Set<BlobDigest> {
        let (kind, id) = (holder.record.kind, holder.record.id)
        guard let exchange = try collection(of: kind).exchange(of: id), exchange.isKnownToRemotes else { return [] }
        if !exchange.isSent, let sent = try gatewayBody(of: kind, id) {
            return Set(JSONValue.object(sent).blobReferences().map(\.metadata.digest))
        }
        // If the sent version is not known, no photo that it may have is given up.
        return Set(holder.photos.map(\.blob.digest))
    }

    private func takeOut(_ lost: UnsentPhotos, by author: Author) throws {
        let digests = Set(lost.photos.map(\.blob.digest))
        switch lost.record.kind {
        case .inspection:
            _ = try inspections.amend(lost.record.id, by: author) { inspection in
                inspection.photos.removeAll { digests.contains($0.blob.digest) }
            }
        case .finding:
            _ = try findings.amend(lost.record.id, by: author) { finding in
                finding.photos.removeAll { digests.contains($0.blob.digest) }
            }
        case .site, .form, .assignment, .response: break
        }
    }
}
