import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

@testable import FieldShell

/// Which photos a sync counts as sent: their bytes go before it is known whether the gateway takes the record.
@Suite struct SentPhotosTests {
    @Test(arguments: [(true, 2), (false, 1)]) func onesOfRefusedRecordsAreNot(isAccepted: Bool, count: Int) async throws
    {
        let shell = try Shell()
        var sent = SentPhotos()
        var references: [RecordReference] = []
        for number in 0..<2 {
            let (reference, digest) = try await photo(number, in: shell)
            sent.add(digest, bytes: 4)
            references.append(reference)
        }
        sent.add(references[0], isAccepted: true)
        sent.add(references[1], isAccepted: false)
        // Refused as a conflict, and taken in the next attempt.
        if isAccepted { sent.add(references[1], isAccepted: true) }
        let photos = try sent.counted(in: shell.field)
        #expect(photos.count == count && photos.bytes == UInt64(4 * count))
    }

    /// A record that is taken from the laptop in the same run is among what was kept aside.
    @Test func onesOfRecordsKeptAsideAreNot() async throws {
        let shell = try Shell()
        let (reference, digest) = try await photo(0, in: shell)
        var sent = SentPhotos()
        sent.add(digest, bytes: 4)
        sent.add(reference, isAccepted: false)
        try shell.takeAway(.inspection, reference.id)
        try #require(try shell.field.quarantine().count == 1)
        #expect(try sent.counted(in: shell.field).count == 0)
    }

    private func photo(_ number: Int, in shell: Shell) async throws -> (RecordReference, BlobDigest) {
        let known = Set(try shell.field.inspections.all().records.map(\.id))
        _ = try await shell.type("new inspection mill --yes")
        let id = try #require(try shell.field.inspections.all().records.map(\.id).first { !known.contains($0) })
        let file = shell.root.appendingPathComponent("\(number).jpg")
        try Data([0xFF, 0xD8, 0xFF, UInt8(number)]).write(to: file)
        _ = try await shell.type("attach \(RecordReference.short(id, kind: .inspection)) \(file.path)")
        return (
            RecordReference(.inspection, id: id),
            try #require(try shell.field.inspections.find(id)?.photos.first).blob.digest
        )
    }
}
