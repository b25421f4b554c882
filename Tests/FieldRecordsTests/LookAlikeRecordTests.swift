import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords
import Foundation
import Testing

/// Records whose ids differ only in how an accent is written: "é" in one code point and in two, "Å" and the sign for
/// Ångström. Nothing that is done to one of them touches the other.
@Suite struct LookAlikeRecordTests {
    private static let pairs = [("visit-caf\u{E9}", "visit-cafe\u{301}"), ("visit-\u{C5}", "visit-\u{212B}")]

    private let temporary: TemporaryField
    private var field: FieldDatabase { temporary.field }

    init() throws { temporary = try TemporaryField() }

    /// A site, an inspection of it and a finding, under ids that end alike.
    private func add(_ id: String) throws {
        let author = temporary.author
        let day = try #require(CalendarDay("2026-03-04"))
        try field.sites.add(Site(id: "site-\(id)", name: "Mill", address: Address(), district: .unknown), by: author)
        try field.inspections.add(Inspection(id: id, site: "site-\(id)", date: day, district: .unknown), by: author)
        try field.findings.add(
            Finding(
                id: "finding-\(id)", inspection: id, site: "site-\(id)", date: day, text: "Dust", district: .unknown),
            by: author)
    }

    private func hasAll(_ id: String) throws -> Bool {
        try field.sites.find("site-\(id)") != nil && field.inspections.find(id) != nil
            && field.findings.find("finding-\(id)") != nil
    }

    @Test(arguments: pairs) func deletingAnInspectionLeavesTheOthersFindings(id: String, other: String) throws {
        try add(id)
        try add(other)
        #expect(try field.deleteInspection(id) == 1)
        #expect(try hasAll(other))
    }

    @Test(arguments: pairs) func aSiteIsInUseByItsOwnInspectionsOnly(id: String, other: String) throws {
        try add(id)
        try add(other)
        _ = try field.deleteInspection(id)
        try field.deleteSite("site-\(id)")
        #expect(try hasAll(other))
    }

    @Test(arguments: pairs) func aRefusedInspectionIsDiscardedAlone(id: String, other: String) throws {
        try add(id)
        try add(other)
        for id in [id, other] { try field.refuse(.inspection, id) }
        let refused = try #require(try field.refusedRecords().first { Name($0.documentID) == Name(id) })
        #expect(try field.newFindings(of: refused).map { Name($0.id) } == [Name("finding-\(id)")])
        #expect(try field.discardRefused(refused) == .purged)
        #expect(try hasAll(other))
        #expect(try field.refusedRecords().map { Name($0.documentID) } == [Name(other)])
    }

    /// What observes the outbox compares its entries.
    @Test(arguments: pairs) func refusalsOfTwoAreTwo(id: String, other: String) throws {
        try add(id)
        try add(other)
        try field.refuse(.inspection, id)
        try field.refuse(.inspection, other)
        let pushes = try field.database.rejectedPushes()
        #expect(Set(pushes.map { Name($0.documentID) }).count == 2)
        #expect(try field.collection(of: .inspection).purgeIfUnsent(id: id))
        #expect(try field.database.rejectedPushes().map { Name($0.documentID) } == [Name(other)])
    }
}
