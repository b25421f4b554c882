import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldSync

/// Which photos a sync counts as sent: their bytes go before it is known whether the gateway takes the record.
@Suite struct SentPhotosTests {
    @Test(arguments: [(true, 2), (false, 1)]) func onesOfRefusedRecordsAreNot(isAccepted: Bool, count: Int) throws {
        let folder = try TemporaryFolder()
        try folder.field.inspections.add(
            Inspection(
                id: "inspection-2", site: "site-mill", date: CalendarDay(daysSince1970: 20_516),
                district: District("hill") ?? .unknown), by: folder.author)
        var sent = SentPhotos()
        let references = ["inspection-1", "inspection-2"].map { RecordReference(.inspection, id: $0) }
        for (number, reference) in references.enumerated() {
            let photo = try folder.attach(
                "\(number).jpg", [0xFF, 0xD8, 0xFF, UInt8(number)], toInspection: reference.id)
            sent.add(photo.blob.digest, bytes: 4)
        }
        sent.add(references[0], isAccepted: true)
        sent.add(references[1], isAccepted: false)
        // Refused as a conflict, and taken in the next attempt.
        if isAccepted { sent.add(references[1], isAccepted: true) }
        let photos = try sent.counted(in: folder.field)
        #expect(photos.count == count && photos.bytes == UInt64(4 * count))
    }

    /// Of a record that is refused again, nothing is reported.
    @Test func onesOfRecordsInTheOutboxAreNot() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.attach("0.jpg", [0xFF, 0xD8, 0xFF, 0], toInspection: "inspection-1")
        let (store, collection) = (try folder.store(), RecordKind.inspection.collection)
        let revision = try #require(try store.revision(of: "inspection-1", in: collection)).revision
        try store.recordRejection(
            of: "inspection-1", revision: revision, code: 403, reason: "the district hill is not one of yours",
            in: collection)
        var sent = SentPhotos()
        sent.add(photo.blob.digest, bytes: 4)
        #expect(try sent.counted(in: folder.field).count == 0)
    }

    /// A record that is taken from the laptop in the same run is in the quarantine.
    @Test func onesOfQuarantinedRecordsAreNot() throws {
        let folder = try TemporaryFolder()
        let photo = try folder.attach("0.jpg", [0xFF, 0xD8, 0xFF, 0], toInspection: "inspection-1")
        var sent = SentPhotos()
        sent.add(photo.blob.digest, bytes: 4)
        sent.add(RecordReference(.inspection, id: "inspection-1"), isAccepted: false)
        _ = try folder.store().purge(
            ["inspection-1"], in: RecordKind.inspection.collection, quarantine: true, reason: "revoked")
        try #require(try folder.field.quarantine.all().count == 1)
        #expect(try sent.counted(in: folder.field).count == 0)
    }
}
