import DocumentStore
import DocumentValues
import FieldModels
import Foundation
import Testing

@testable import FieldRecords

/// Each member that a model reads comes through JSON, and through a table.
@Suite struct AllMembersTests {
    private static func record(_ kind: RecordKind, from object: JSONObject) throws -> any FieldRecord {
        switch kind {
        case .site: try Site(id: "r", object: object)
        case .inspection: try Inspection(id: "r", object: object)
        case .finding: try Finding(id: "r", object: object)
        case .form: try FormDefinition(id: "r", object: object)
        case .assignment: try Assignment(id: "r", object: object)
        case .response: try Response(id: "r", object: object)
        }
    }

    @Test(arguments: RecordKind.allCases) func isReadAndWritten(kind: RecordKind) throws {
        let object = MemberSamples.object(of: kind)
        let record = try Self.record(kind, from: object)
        #expect(
            record.envelope.rest.isEmpty && record.problems().isEmpty, "\(record.envelope.rest) \(record.problems())")
        #expect(record.object == object)
        #expect(try Self.record(kind, from: JSONObject(parsing: record.body)).object == object)
    }

    /// Also those of a newer version, wherever in a record they are.
    @Test(arguments: RecordKind.allCases) func unknownMembersAreKept(kind: RecordKind) throws {
        let object = Self.withUnknown(.object(MemberSamples.object(of: kind))).objectValue ?? JSONObject()
        let record = try Self.record(kind, from: object)
        #expect(record.object == object)
    }

    /// Each object gets one more member, but for a blob's, which is the store's.
    private static func withUnknown(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            let members = object.members.map { member in
                member.key.isExactly("blob")
                    ? member : JSONObject.Member(key: member.key, value: withUnknown(member.value))
            }
            return .object(JSONObject(members: members + [JSONObject.Member(key: "newer", value: ["a": 1])]))
        case .array(let elements): return .array(elements.map(withUnknown))
        case .null, .bool, .number, .string: return value
        }
    }

    /// The form of a line in an export.
    @Test(arguments: RecordKind.allCases) func comesWithALineOfJSON(kind: RecordKind) throws {
        let object = MemberSamples.object(of: kind)
        #expect(try Self.decoded(Self.record(kind, from: object)) == object)
    }

    private static func decoded<Record: FieldRecord>(_ record: Record) throws -> JSONObject {
        try JSONDecoder().decode(Record.self, from: JSONEncoder().encode(record)).object
    }

    /// A table has all members but the photos: their files come with lines of JSON, and the report says so.
    @Test(arguments: RecordKind.allCases.filter { $0 != .form }) func comesWithATable(kind: RecordKind) throws {
        let (first, second) = (try TemporaryField(), try TemporaryField())
        let object = MemberSamples.object(of: kind)
        try first.field.database.saveBlob(blob: Blob(contentType: "image/jpeg", data: Data([1])))
        try first.field.collection(of: kind).save(bodies: [("\(kind)-1", object.bytes)])
        _ = try RecordExport(of: first.field, to: first.path("out"), format: .csv).run()
        let table = first.path("out/\(kind.plural).csv")
        let report = try RecordImport(into: second.field).run([table])
        let imported = try #require(
            try second.field.collection(of: kind).document(id: "\(kind)-1")?.body, "\(report.notes)")
        let hasPhotos = object["photos"] != nil
        for member in object.members where !member.key.isExactly("photos") {
            #expect(imported[member.key] == member.value, "\(member.key)")
        }
        #expect(imported.count == object.count - (hasPhotos ? 1 : 0))
        #expect(report.notes.contains { $0.kind == .notFromTable && $0.column == "photos" } == hasPhotos)
        let again = try RecordImport(into: first.field).run([table])
        #expect(again.counts.map(\.unchanged) == [1] && again.notes.isEmpty, "\(again.notes)")
    }

    /// A member that cannot be read is in the column `other`, and not in its own.
    @Test func whatCannotBeReadIsInOneColumn() throws {
        var object = MemberSamples.object(of: .site)
        object["phone"] = 7
        object["address"] = ["street": 5, "city": "Amble", "floor": 2]
        let cells = RecordCells(try Site(id: "r", object: object))
        let columns = EnvelopeColumns.completing(SiteColumns.all)
        let other = try #require(columns.first { $0.name == "other" }?.value(cells))
        #expect(try JSONObject(parsing: Array(other.utf8)) == ["phone": 7, "address": ["street": 5, "floor": 2]])
    }

    /// "Changed after the approval" says the same after an export and an import as before.
    @Test func whatAnApprovalSawComesWithATable() throws {
        let (first, second) = (try TemporaryField(), try TemporaryField())
        let hill = try #require(District("hill")), day = try #require(CalendarDay("2026-03-04"))
        let field = first.field
        try field.sites.add(Site(id: "site-1", name: "Mill", address: Address(), district: hill), by: first.author)
        try field.inspections.add(
            Inspection(id: "inspection-1", site: "site-1", date: day, district: hill), by: first.author)
        try field.findings.add(
            Finding(
                id: "finding-1", inspection: "inspection-1", site: "site-1", date: day, text: "Dirty", district: hill),
            by: first.author)
        _ = try field.lifeCycle.submit("inspection-1", by: first.author)
        _ = try field.lifeCycle.approve("inspection-1", by: Author(name: "ines", moment: first.author.moment))
        let approved = try #require(try field.inspections.find("inspection-1"))
        #expect(approved.approvedFindings != nil && approved.approvedPhotos != nil)
        _ = try RecordExport(of: field, to: first.path("out"), format: .csv).run()
        _ = try RecordImport(into: second.field).run(
            ["sites", "inspections", "findings"].map { first.path("out/\($0).csv") })
        #expect(try second.field.inspections.find("inspection-1") == approved)
    }
}
