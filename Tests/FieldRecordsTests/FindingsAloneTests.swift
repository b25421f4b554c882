import FieldModels
import Foundation
import Testing

@testable import FieldRecords

/// A table of findings that is imported without the table of their inspections, which this laptop already has.
@Suite struct FindingsAloneTests {
    private static let sites = "business_id,name,address,city,state,postal_code\n19,Mill,1 Quay,Amble,NE,12345\n"
    private static let inspections = "business_id,score,date,type\n19,80,20171211,routine\n19,90,20171211,routine\n"
    private static let header = "business_id,date,description,risk\n"

    private let temporary: TemporaryField

    init() throws {
        temporary = try TemporaryField()
        _ = try take(
            [
                ("sites.csv", Self.sites), ("inspections.csv", Self.inspections),
                ("findings.csv", Self.header + "19,20171211,Dust,low\n"),
            ])
    }

    private func take(_ tables: [(name: String, text: String)]) throws -> ImportReport {
        let files = try tables.map { try temporary.file($0.name, $0.text) }
        return try RecordImport(into: temporary.field, by: temporary.author).run(files)
    }

    private func inspections() throws -> [String: String?] {
        Dictionary(uniqueKeysWithValues: try temporary.field.findings.all().records.map { ($0.text, $0.inspection) })
    }

    @Test func aChangedOneStaysWithItsInspection() throws {
        let report = try take([("findings.csv", Self.header + "19,20171211,Dust,high\n")])
        #expect(report.notes.isEmpty && report.counts.first?.updated == 1, "\(report)")
        #expect(try inspections() == ["Dust": "inspection-19-2017-12-11"])
        #expect(try temporary.field.findings.all().records.first?.risk == .high)
    }

    @Test func aNewOneIsJoinedToWhatIsHere() throws {
        let report = try take([("findings.csv", Self.header + "19,20171211,Rats,high\n19,20171212,Mice,high\n")])
        #expect(
            try inspections() == ["Dust": "inspection-19-2017-12-11", "Rats": "inspection-19-2017-12-11", "Mice": nil])
        // As with the table: the day's first inspection, or none if there is none on that day.
        #expect(report.notes.map(\.kind) == [.severalInspections, .findingWithoutInspection], "\(report.notes)")
    }

    /// Two visits on one day keep their ids, and so do their findings.
    @Test func anotherOrderOfTheRowsChangesNothing() throws {
        let lines = Self.inspections.split(separator: "\n")
        let reversed = ([lines[0]] + lines.dropFirst().reversed()).joined(separator: "\n") + "\n"
        let report = try take([("inspections.csv", reversed), ("findings.csv", Self.header + "19,20171211,Dust,low\n")])
        #expect(report.counts.allSatisfy { $0.unchanged == $0.rows }, "\(report.counts)")
        #expect(try temporary.field.inspections.find("inspection-19-2017-12-11")?.score == 80)
    }
}
