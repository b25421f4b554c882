import DocumentStore
import DocumentValues
import FieldModels

extension FuzzTarget {
    /// The small texts that are in properties, paths and rows.
    static let identifiers = FuzzTarget(
        name: "identifiers",
        seeds: {
            [
                "1-abc", "4294967295-abc", "3-967a00dff5e02add41819138abb3284d,2-7051cbe5c8faecd085a3fa619e6e6337",
                "12:34", "5::9",
                "\"1:2:3\"", "field.inspections", "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "2026-03-04T10:15:00.5Z",
                "2026-03-04 10:15+0230",
                "2026-02-29", "SGVsbG8=", #"{"@type":"blob","digest":"sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=","length":3}"#,
            ].map { Array($0.utf8) }
        },
        run: { bytes in
            let text = text(bytes)
            checkRevisions(text)
            checkSequence(text)
            checkNames(text)
            checkDates(text)
            if let decoded = Base64.decode(text) {
                check(Base64.decode(Base64.encode(decoded)) == decoded, "base64 does not come back")
            }
            check(Base64.decode(Base64.encode(bytes)) == bytes, "bytes do not come back from base64")
            if let digest = BlobDigest(text) { check(BlobDigest(digest.text) == digest, "a digest changes") }
            if let metadata = (try? JSONObject(parsing: bytes)).flatMap(BlobMetadata.init) {
                check(BlobMetadata(metadata.object) == metadata, "a blob's metadata change")
            }
        })

    private static func checkRevisions(_ text: String) {
        if let revision = RevisionID(text) {
            check(RevisionID(revision.description) == revision, "revision '\(text)' does not come back")
            let body = Array("{}".utf8)
            _ = RevisionDigest.clientRevision(parent: revision, body: body, isDeleted: false)
            let child = RevisionDigest.gatewayRevision(parent: revision, body: [:])
            check(
                child.wins(over: revision) || revision.treeRevision?.generation == .max,
                "a child of \(text) does not come after it")
            let history = RevisionHistory([revision, child])
            check(RevisionHistory(parsing: history.description) == history, "history '\(text)' does not come back")
        }
        if let history = RevisionHistory(parsing: text) {
            check(RevisionHistory(parsing: history.description) == history, "history '\(text)' does not come back")
            _ = history.prefix(through: history.ancestors.last, limit: 3)
        }
    }

    private static func checkSequence(_ text: String) {
        guard let sequence = SequenceID(parsing: text) else { return }
        check(!(sequence < sequence), "a sequence comes before itself")
        _ = (sequence < .zero, SequenceID.zero < sequence, sequence.safeSequence)
        let again = SequenceID(json: sequence.json)
        check(again?.description == sequence.description, "sequence '\(text)' does not come back")
    }

    private static func checkNames(_ text: String) {
        if let name = try? CollectionName(parsing: text) {
            check((try? CollectionName(parsing: name.description)) == name, "collection '\(text)' does not come back")
            check((try? CollectionName(parsing: name.wireName)) == name, "collection '\(text)' does not come back")
        }
        _ = DocumentIDRules.isValid(text)
        if let district = District(text) { check(District("\(district)") == district, "a district changes") }
    }

    private static func checkDates(_ text: String) {
        if let time = Timestamp(text) { check(Timestamp(time.description) == time, "a time changes") }
        if let day = CalendarDay(text) { check(CalendarDay(day.description) == day, "a day changes") }
        if let date = DocumentDate.date(text), DocumentDate.canWrite(date) {
            let written = DocumentDate.text(date)
            check(DocumentDate.date(written).map(DocumentDate.text) == written, "a date changes")
        }
    }
}
